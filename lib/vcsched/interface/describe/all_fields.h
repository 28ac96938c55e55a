/*
 * The structs of libvcsched, all chapters together.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_DESCRIBE_ALL_FIELDS_H
#define VCS_DESCRIBE_ALL_FIELDS_H

#include "vcsched/interface/check/abi_fields.h"
#include "vcsched/interface/fields/accounts_fields.h"
#include "vcsched/interface/fields/chance_fields.h"
#include "vcsched/interface/fields/dispatch_fields.h"
#include "vcsched/interface/fields/fetch_fields.h"
#include "vcsched/interface/fields/host_fields.h"
#include "vcsched/interface/fields/parameters_fields.h"
#include "vcsched/interface/fields/rpc_fields.h"
#include "vcsched/interface/fields/schedule_fields.h"
#include "vcsched/interface/fields/send_fields.h"
#include "vcsched/interface/fields/simulation_fields.h"
#include "vcsched/interface/fields/timers_fields.h"
#include "vcsched/interface/fields/unit_fields.h"
#include "vcsched/interface/fields/verify_fields.h"

#define VCS_STRUCTS(S)                                                                                                 \
    VCS_ABI_STRUCTS(S)                                                                                                 \
    VCS_PARAMETERS_STRUCTS(S) VCS_HOST_STRUCTS(S) VCS_SIMULATION_STRUCTS(S) VCS_ACCOUNTS_STRUCTS(S)                    \
        VCS_TIMERS_STRUCTS(S) VCS_RPC_STRUCTS(S) VCS_SCHEDULE_STRUCTS(S) VCS_FETCH_STRUCTS(S) VCS_UNIT_STRUCTS(S)      \
            VCS_VERIFY_STRUCTS(S) VCS_DISPATCH_STRUCTS(S) VCS_SEND_STRUCTS(S) VCS_CHANCE_STRUCTS(S)

#endif
