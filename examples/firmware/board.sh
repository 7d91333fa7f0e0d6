#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a program on an emulated Cortex-M4 and prints what it says.
#
#     ./board.sh PROGRAM.elf
timeout 300 qemu-system-arm -M mps2-an386 -nographic -semihosting \
    -monitor none -serial none -kernel "$1" 2>&1 < /dev/null | tr -d '\r'
