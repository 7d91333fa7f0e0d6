/* SPDX-License-Identifier: MIT
 *
 * completion.c - completion: a script that completes command lines in bash
 *
 * The script is written from the tables of commands, methods and options, so
 * that it never knows less than the program.
 */
#include "../methods/job.h"

static const char *const head =
    "_mtc()\n{\n"
    "    local current=\"${COMP_WORDS[COMP_CWORD]}\"\n"
    "    local previous=\"${COMP_WORDS[COMP_CWORD-1]}\" offered=\n"
    "    local command=\"${COMP_WORDS[1]}\" method=\"${COMP_WORDS[2]}\"\n"
    "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
    "        offered=\"help version";

static const char *const tail =
    "    COMPREPLY=($(compgen -W \"$offered\" -- \"$current\"))\n"
    "}\n"
    "complete -o bashdefault -o default -F _mtc mtc\n";

static void put_methods(app *a, text *t, const char *kind)
{
    for (size_t i = 0; i < n_methods; i++)
        if (kind == NULL || is(methods[i].kind, kind))
            put(a, t, " %s", methods[i].name);
}

/* What stands behind a command, or behind a command and a method. */
static void put_cases(app *a, text *t, const words *names,
                      const char *const *allowed)
{
    for (size_t i = 0; i < n_methods; i++) {
        put(a, t, "        \"%s %s\") offered=\"", methods[i].kind,
            methods[i].name);
        put_option_names(a, t, methods[i].options);
        put(a, t, "\" ;;\n");
    }
    for (size_t i = 0; i < names->n; i++) {
        put(a, t, "        \"%s \"*) offered=\"", names->at[i]);
        if (allowed[i] != NULL)
            put_option_names(a, t, allowed[i]);
        put(a, t, "\" ;;\n");
    }
}

/* The script: commands [n] have these options. */
void print_completion(app *a, const words *names, const char *const *allowed)
{
    text t = {NULL, 0, 0};
    put(a, &t, "%s", head);
    for (size_t i = 0; i < names->n; i++)
        put(a, &t, " %s", names->at[i]);
    put(a, &t, "\"\n    elif [ \"$COMP_CWORD\" = 2 ]; then\n"
        "        case $command in\n        cluster) offered=\"");
    put_methods(a, &t, "cluster");
    put(a, &t, "\" ;;\n        transfer) offered=\"");
    put_methods(a, &t, "transfer");
    put(a, &t, "\" ;;\n        help) offered=\"files texts words options");
    for (size_t i = 0; i < names->n; i++)
        put(a, &t, " %s", names->at[i]);
    put_methods(a, &t, NULL);
    put(a, &t, "\" ;;\n        completion) offered=\"bash\" ;;\n"
        "        esac\n    fi\n    case $previous in\n");
    put_choices(a, &t);
    put(a, &t, "    esac\n    if [ -z \"$offered\" ] && "
        "[ \"${current#-}\" != \"$current\" ]; then\n"
        "        case \"$command $method\" in\n");
    put_cases(a, &t, names, allowed);
    put(a, &t, "        esac\n    fi\n%s", tail);
    save(a, "-", &t);
}
