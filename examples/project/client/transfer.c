/*
 * SPDX-License-Identifier: MIT
 */
#include <curl/curl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "transfer.h"

#define LARGEST_REPLY (64.0 * 1024 * 1024)
#define CONNECT_SECONDS 30L
/* A transfer that is slower than this for so long has stalled. */
#define SLOW_BYTES 10L
#define SLOW_SECONDS 60L

struct transfer {
    struct transfer *next;
    CURL *easy;
    struct transfer_order order;
    struct text body;
    size_t post_sent;
    long post_file_begin;
    double received;
    bool is_too_large;
    char error[CURL_ERROR_SIZE];
};

struct transfers {
    CURLM *multi;
    struct transfer *first;
};

struct transfers *transfers_new(void) {
    struct transfers *transfers = zeroed(sizeof *transfers);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || (transfers->multi = curl_multi_init()) == NULL) {
        fputs("gridclient: libcurl cannot be initialised\n", stderr);
        exit(1);
    }
    return transfers;
}

static void transfer_free(struct transfer *transfer) {
    curl_easy_cleanup(transfer->easy);
    text_free(&transfer->body);
    if (transfer->order.post != NULL) {
        text_free(transfer->order.post);
        free(transfer->order.post);
    }
    if (transfer->order.post_file != NULL) {
        fclose(transfer->order.post_file);
    }
    if (transfer->order.into != NULL) {
        fclose(transfer->order.into);
    }
    free(transfer->order.context);
    free(transfer);
}

static void forget(struct transfers *transfers, struct transfer *transfer) {
    struct transfer **at = &transfers->first;
    while (*at != transfer) {
        at = &(*at)->next;
    }
    *at = transfer->next;
    curl_multi_remove_handle(transfers->multi, transfer->easy);
}

void transfer_cancel(struct transfers *transfers, struct transfer *transfer) {
    forget(transfers, transfer);
    transfer_free(transfer);
}

void transfers_free(struct transfers *transfers) {
    while (transfers->first != NULL) {
        transfer_cancel(transfers, transfers->first);
    }
    curl_multi_cleanup(transfers->multi);
    curl_global_cleanup();
    free(transfers);
}

static size_t on_received(char *bytes, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    const struct transfer_order *order = &transfer->order;
    long status = 0;
    count *= size;
    transfer->received += (double)count;
    if (transfer->received > (order->most_bytes > 0 ? order->most_bytes : LARGEST_REPLY)) {
        transfer->is_too_large = true;
        return 0;
    }
    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    if (order->into == NULL || status / 100 != 2) { /* what comes with an error is not the file */
        text_add(&transfer->body, bytes, count);
        return count;
    }
    return fwrite(bytes, 1, count, order->into);
}

static size_t on_sending(char *bytes, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    const struct text *post = transfer->order.post;
    const size_t left = post->length - transfer->post_sent;
    count *= size;
    if (left > 0) {
        count = count < left ? count : left;
        memcpy(bytes, post->bytes + transfer->post_sent, count);
        transfer->post_sent += count;
        return count;
    }
    return transfer->order.post_file == NULL ? 0 : fread(bytes, 1, count, transfer->order.post_file);
}

/* A connection that was kept open may turn out to be closed: then curl sends again from the beginning. */
static int on_seek(void *context, curl_off_t offset, int origin) {
    struct transfer *transfer = context;
    if (offset != 0 || origin != SEEK_SET) {
        return CURL_SEEKFUNC_CANTSEEK;
    }
    transfer->post_sent = 0;
    return transfer->order.post_file == NULL ||
                   fseek(transfer->order.post_file, transfer->post_file_begin, SEEK_SET) == 0
               ? CURL_SEEKFUNC_OK
               : CURL_SEEKFUNC_FAIL;
}

struct transfer *transfer_begin(struct transfers *transfers, const struct transfer_order *order) {
    struct transfer *transfer = zeroed(sizeof *transfer);
    CURL *easy = transfer->easy = curl_easy_init();
    transfer->order = *order;
    if (easy == NULL) {
        fputs("gridclient: there is not enough memory\n", stderr);
        exit(1);
    }
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
    curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
    curl_easy_setopt(easy, CURLOPT_URL, order->url);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->error);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "gridclient");
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, CONNECT_SECONDS);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, SLOW_BYTES);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, SLOW_SECONDS);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_received);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    if (order->post != NULL) {
        transfer->post_file_begin = order->post_file == NULL ? 0 : ftell(order->post_file);
        curl_easy_setopt(easy, CURLOPT_POST, 1L);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                         (curl_off_t)order->post->length + (curl_off_t)order->post_bytes);
        curl_easy_setopt(easy, CURLOPT_READFUNCTION, on_sending);
        curl_easy_setopt(easy, CURLOPT_READDATA, transfer);
        curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, on_seek);
        curl_easy_setopt(easy, CURLOPT_SEEKDATA, transfer);
    } else {
        curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L);
        curl_easy_setopt(easy, CURLOPT_MAXREDIRS, 5L);
        curl_easy_setopt(easy, CURLOPT_RESUME_FROM_LARGE, (curl_off_t)order->offset);
    }
    transfer->next = transfers->first;
    transfers->first = transfer;
    curl_multi_add_handle(transfers->multi, easy);
    return transfer;
}

static void end(struct transfers *transfers, struct transfer *transfer, CURLcode code) {
    struct transfer_end end = {.body = &transfer->body};
    char reason[CURL_ERROR_SIZE + 32];
    struct transfer_order *order = &transfer->order;
    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &end.http_status);
    end.cannot_go_on = code == CURLE_RANGE_ERROR || end.http_status == 416;
    if (code == CURLE_OK && end.http_status / 100 == 2) {
        end.arrived = true;
        snprintf(reason, sizeof reason, "done");
    } else if (transfer->is_too_large) {
        snprintf(reason, sizeof reason, "more was sent than was announced");
    } else if (code == CURLE_OK) {
        snprintf(reason, sizeof reason, "the server says %ld", end.http_status);
    } else {
        snprintf(reason, sizeof reason, "%s", transfer->error[0] != '\0' ? transfer->error : curl_easy_strerror(code));
    }
    end.reason = reason;
    if (order->into != NULL) {
        const bool closed = fclose(order->into) == 0;
        order->into = NULL;
        if (!closed && end.arrived) {
            end.arrived = false;
            end.reason = "it cannot be written to the disk";
        }
    }
    text_add(&transfer->body, "", 0); /* so that there is a text, if an empty one */
    forget(transfers, transfer);
    order->ended(order->context, &end);
    transfer_free(transfer);
}

/* Moves all transfers on and calls back for each that ended. Returns whether any did. */
static bool move_on(struct transfers *transfers) {
    int under_way, left;
    bool some_ended = false;
    curl_multi_perform(transfers->multi, &under_way);
    for (const CURLMsg *message; (message = curl_multi_info_read(transfers->multi, &left)) != NULL;) {
        struct transfer *transfer;
        if (message->msg == CURLMSG_DONE) {
            const CURLcode code = message->data.result; /* the message goes with its transfer */
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
            end(transfers, transfer, code);
            some_ended = true;
        }
    }
    return some_ended;
}

void transfers_wait(struct transfers *transfers, double seconds, int descriptor) {
    struct curl_waitfd also = {.fd = descriptor, .events = CURL_WAIT_POLLIN};
    if (!move_on(transfers)) { /* else there is something to decide now */
        curl_multi_poll(transfers->multi, &also, 1, (int)ceil(1000 * fmin(fmax(seconds, 0), 3600)), NULL);
        move_on(transfers);
    }
}
