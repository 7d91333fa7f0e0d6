/* SPDX-License-Identifier: MIT
 *
 * Settings of the library, because a sketch has no other place for them.
 * Take away the slashes to switch one on.
 */
/* #define MTC_SINGLE     the whole library in float: mtc_real is float */
/* #define MTC_NO_MALLOC  memory comes from the context alone */
/* #define MTC_FAST       fused multiply-add allowed: bits may differ */
