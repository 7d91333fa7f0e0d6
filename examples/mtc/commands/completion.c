/* SPDX-License-Identifier: MIT
 *
 * completion.c - completion: a script that completes command lines in a shell
 *
 * The script is written from the tables of commands, methods and options, so
 * that it never knows less than the program.
 */
#include "../methods/job.h"

#include <string.h>

/* How a shell names what it has typed so far, and takes what is offered. */
typedef struct dialect {
    const char *name, *head, *place, *tail;
} dialect;

static const dialect dialects[] = {
    {"bash",
     "_mtc()\n{\n"
     "    local current=\"${COMP_WORDS[COMP_CWORD]}\"\n"
     "    local previous=\"${COMP_WORDS[COMP_CWORD-1]}\" offered=\n"
     "    local command=\"${COMP_WORDS[1]}\" method=\"${COMP_WORDS[2]}\"\n",
     "$COMP_CWORD",
     "    COMPREPLY=($(compgen -W \"$offered\" -- \"$current\"))\n"
     "}\n"
     "complete -o bashdefault -o default -F _mtc mtc\n"},
    {"zsh",
     "#compdef mtc\n"
     "_mtc()\n{\n"
     "    local current=\"${words[CURRENT]}\"\n"
     "    local previous=\"${words[CURRENT-1]}\" offered=\n"
     "    local command=\"${words[2]}\" method=\"${words[3]}\"\n",
     "$((CURRENT - 1))",
     "    if [[ -n $offered ]]; then\n"
     "        compadd -- ${=offered}\n"
     "    else\n"
     "        _files\n"
     "    fi\n"
     "}\n"
     "_mtc \"$@\"\n"}};

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

/* The script for a shell: commands [n] have these options. */
void print_completion(app *a, const char *shell, const words *names,
                      const char *const *allowed)
{
    const dialect *d = NULL;
    text t = {NULL, 0, 0};
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
        if (is(shell, dialects[i].name))
            d = &dialects[i];
    if (d == NULL)
        fail(a, BAD_USAGE, "completion is for bash or zsh, not %s", shell);
    put(a, &t, "%s    if [ \"%s\" = 1 ]; then\n        offered=\"help version",
        d->head, d->place);
    for (size_t i = 0; i < names->n; i++)
        put(a, &t, " %s", names->at[i]);
    put(a, &t, "\"\n    elif [ \"%s\" = 2 ]; then\n        case $command in\n",
        d->place);
    put(a, &t, "        cluster) offered=\"");
    put_methods(a, &t, "cluster");
    put(a, &t, "\" ;;\n        transfer) offered=\"");
    put_methods(a, &t, "transfer");
    put(a, &t, "\" ;;\n        help) offered=\"files texts words options");
    for (size_t i = 0; i < names->n; i++)
        put(a, &t, " %s", names->at[i]);
    put_methods(a, &t, NULL);
    put(a, &t, "\" ;;\n        completion) offered=\"bash zsh\" ;;\n"
        "        esac\n    fi\n    case $previous in\n");
    put_choices(a, &t);
    put(a, &t, "    esac\n    if [ -z \"$offered\" ] && "
        "[ \"${current#-}\" != \"$current\" ]; then\n"
        "        case \"$command $method\" in\n");
    put_cases(a, &t, names, allowed);
    put(a, &t, "        esac\n    fi\n%s", d->tail);
    save(a, "-", &t);
}
