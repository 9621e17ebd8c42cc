/* VERIFYTA - varabs in place of verifyta, Uppaal's program for the command line.
 *
 * Takes verifyta's options and writes its lines, as logs in public show them. What is known is
 * answered; what is not is said, or left to the real verifyta as a whole where one is named: with
 * --engine, or in the environment as VARABS_VERIFYTA. Then nothing was written before.
 */
#pragma once

#include <stdio.h>

/* What the manual page and `varabs help` say of the command line. */
void verifyta_help(FILE *file);

/* The exit status: 0 if every query has a verdict, whatever it is, else 1; that of varabs with
 * --exit-varabs. argv[0] is not looked at. defer: signals only ask for the end from then on. */
int verifyta_run(int argc, char **argv, void (*defer)(void));
