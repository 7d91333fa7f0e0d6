/* SPDX-License-Identifier: MIT
 *
 * Two sensors of the same kind, a few readings each: clustered together, so
 * that cluster 0 of one is cluster 0 of the other.  No heap: the memory is a
 * static buffer, and the library says how much of it a call takes.
 */
#include <mtc.h>

static const mtc_real left[] = {1, 1, 1, 2, 2, 1, 8, 8, 8, 9, 9, 8};
static const mtc_real right[] = {9, 9, 9, 7, 2, 3, 3, 2};
static double memory[1024];  // 8 KB, aligned for every type

void print_labels(const int *labels, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        Serial.print(labels[i]);
        Serial.print(' ');
    }
    Serial.println();
}

void setup()
{
    Serial.begin(115200);
    mtc_data tasks[] = {mtc_dense(6, 2, left), mtc_dense(4, 2, right)};
    mtc_mbc_options opt = mtc_mbc_defaults();
    opt.clusters = 2;
    mtc_arena arena = mtc_arena_over(memory, sizeof memory);
    mtc_context ctx = mtc_arena_context(&arena);
    mtc_mbc_result res;
    mtc_status status = mtc_mbc(&ctx, tasks, 2, &opt, &res);
    Serial.print("bytes: ");
    Serial.println((unsigned long)ctx.need);
    if (status != MTC_OK) {
        Serial.println(mtc_status_text(status));
        return;
    }
    print_labels(res.labels[0], tasks[0].n);
    print_labels(res.labels[1], tasks[1].n);
    mtc_free(&ctx, &res.block);
}

void loop() {}
