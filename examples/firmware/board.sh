#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a program on an emulated Cortex-M4 and prints what it says.
#
#     ./board.sh PROGRAM.elf [ARGUMENTS OF qemu-system-arm]
program=$1
shift
timeout 300 qemu-system-arm -M mps2-an386 -nographic -semihosting \
    -monitor none -serial none -kernel "$program" "$@" 2>&1 < /dev/null | tr -d '\r'
