/*
 * A tournament: which of a row of players has the least number? The winner is at hand; a change of one number costs
 * O(log n).
 *
 * The tournament of n players has a width w, the least power of two that is not below n, and is an array of 2 * w
 * places. Place w + i is player i, place i the better one of the places 2 * i and 2 * i + 1, and so place 1 the winner.
 * Place 0 is not used. With a power of two each player plays as many games as any other: a processor can foresee when
 * the last one is over. The places that are left over hold +infinity.
 *
 * Numbers are doubles that are not negative, nor -0; as integers, their bits stand in the same order and compare
 * faster.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_TOURNAMENT_H
#define VCS_CORE_TOURNAMENT_H

#include "core/min_tree.h"
#include "core/number.h"

#include <stdint.h>
#include <string.h>

typedef struct vcs_player {
    uint64_t bits; /* of the number */
    uint32_t index;
    uint32_t unused;
} vcs_player;

static inline vcs_player vcs_player_of(uint32_t index, double number) {
    vcs_player player = {0, index, 0};
    memcpy(&player.bits, &number, sizeof number);
    return player;
}

static inline double vcs_player_number(vcs_player player) {
    double number;
    memcpy(&number, &player.bits, sizeof number);
    return number;
}

static inline uint32_t vcs_tournament_width(uint32_t players) {
    return vcs_tree_width(players);
}

/* Keeps the places that are left over out of it. Before the first game. */
static inline void vcs_tournament_open(vcs_player *places, uint32_t players, uint32_t width) {
    for (uint32_t i = players; i < width; i++) {
        places[width + i] = vcs_player_of(i, VCS_INFINITY);
    }
}

static inline vcs_player vcs_tournament_winner(const vcs_player *places) {
    return places[1];
}

/* Gives a player a number; once all have theirs, the tournament is to be played. */
static inline void vcs_tournament_put(vcs_player *places, uint32_t width, uint32_t index, double number) {
    places[width + index] = vcs_player_of(index, number);
}

/* Plays the whole tournament. O(n). */
static inline void vcs_tournament_play(vcs_player *places, uint32_t width) {
    for (uint32_t place = width; place-- > 1;) {
        const vcs_player *pair = &places[2 * place];
        places[place] = pair[pair[1].bits < pair[0].bits];
    }
}

/* The better one of two that meet; in a draw, the first of them. */
static inline vcs_player vcs_tournament_better(vcs_player player, vcs_player rival) {
    const int loses = rival.bits < player.bits;
    player.bits = loses ? rival.bits : player.bits;
    player.index = loses ? rival.index : player.index;
    return player;
}

/* Changes the number of the winner; returns who wins now. All its games are played again. O(log n). */
static inline vcs_player vcs_tournament_move_winner(vcs_player *places, uint32_t width, double number) {
    vcs_player best = vcs_player_of(places[1].index, number);
    uint32_t place = width + best.index;
    places[place].bits = best.bits;
    while (place > 1) {
        best = vcs_tournament_better(best, places[place ^ 1]);
        place /= 2;
        places[place] = best;
    }
    return best;
}

#endif
