/* main — the varabs command. */
#include <stdio.h>

int main(void)
{
    printf("varabs %s\n", VARABS_VERSION);
    return 0;
}
