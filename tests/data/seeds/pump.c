#include <stdio.h>
#define LIMIT 2.4

/* One pump. */
struct pump { const char *name; double bar; };

static int low(const struct pump *p)
{
    return p->bar < LIMIT;
}

int main(void)
{
    struct pump north = { "north", 2.1 };
    if (low(&north)) {
        printf("%s failed: {%f}\n", north.name, north.bar);
        return 1;
    }
    return 0;
}
