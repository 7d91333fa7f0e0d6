/* SPDX-License-Identifier: MIT
 *
 * avr.c - the main of a program that was compiled with -Dmain=measured, on an
 * ATmega328P: lines go out by its serial port.  Asleep without interrupts, the
 * emulator ends.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdio.h>

int measured(void);

static void send(char c)
{
    while (!(UCSR0A & _BV(UDRE0))) {
    }
    UDR0 = (unsigned char)c;
}

int puts(const char *s)
{
    while (*s != '\0')
        send(*s++);
    send('\n');
    return 0;
}

int main(void)
{
    UCSR0B = _BV(TXEN0);
    if (measured() != 0)
        puts("failed");
    cli();
    sleep_mode();
    return 0;
}
