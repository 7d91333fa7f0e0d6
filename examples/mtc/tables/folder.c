/* SPDX-License-Identifier: MIT
 *
 * folder.c - a directory as a task: every file below it is a text
 *
 * Files come in the order of their paths, byte by byte, whatever the listing
 * says.  Hidden ones and links are left out.  If all files lie in
 * subdirectories, the first level's name is the class.
 */
#include "../texts/texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#if defined(APP_POSIX) || defined(_WIN32)
#include <sys/stat.h>
#endif
#if (defined(APP_POSIX) && !defined(__wasi__)) || defined(__MINGW32__)
#define APP_LISTS
#include <dirent.h>
#endif

enum { DEEPEST_FOLDER = 64 };

int is_folder(const char *path)
{
#if defined(APP_POSIX) || defined(_WIN32)
    struct stat s;
    return stat(path, &s) == 0 && (s.st_mode & S_IFMT) == S_IFDIR;
#else
    (void)path;
    return 0;
#endif
}

#ifdef APP_LISTS

static int is_link(const char *path)
{
#ifdef APP_POSIX
    struct stat s;
    return lstat(path, &s) == 0 && S_ISLNK(s.st_mode);
#else
    (void)path;
    return 0;
#endif
}

/* Adds the paths of all texts below root/below, from the root on. */
static void list_folder(app *a, const char *root, const char *below,
                        int depth, words *files)
{
    const char *here = *below == '\0' ? root : join_path(a, root, below, "");
    DIR *list = opendir(here);
    if (list == NULL)
        fail(a, BAD_DATA, "%s: %s", here, strerror(errno));
    words found = {0, 0, NULL};
    for (const struct dirent *e; (e = readdir(list)) != NULL;)
        if (e->d_name[0] != '.')
            add_name(a, &found, e->d_name);
    closedir(list);
    stop_if_interrupted(a);
    for (size_t i = 0; i < found.n; i++) {
        const char *name = found.at[i];
        if (*below != '\0')
            name = join_path(a, below, name, "");
        const char *path = join_path(a, root, name, "");
        int folder = is_folder(path);
        if (is_link(path))
            continue;
        if (folder && depth == DEEPEST_FOLDER)
            fail(a, BAD_DATA, "%s: directories are nested too deeply", path);
        if (folder)
            list_folder(a, root, name, depth + 1, files);
        else if (!is_special(path))
            add_name(a, files, name);
    }
}

#else

static void list_folder(app *a, const char *root, const char *below,
                        int depth, words *files)
{
    (void)below;
    (void)depth;
    (void)files;
    fail(a, BAD_DATA, "%s: directories cannot be read here; give a table or "
         "a .jsonl file of texts", root);
}

#endif

/* Classes by the first level of the paths, if all have one. */
static void take_classes(app *a, const reading *run, task *t,
                         const words *files)
{
    dictionary labels = {.n = 0};
    size_t bare = 0;
    for (size_t i = 0; i < files->n; i++)
        bare += strchr(files->at[i], '/') == NULL;
    if (bare == files->n || is(run->set->labels, "none"))
        return;
    if (bare > 0) {
        inform(a, "classes", NULL, "%s: %zu of %zu texts %s in no "
               "subdirectory, so that there are no classes", t->file, bare,
               files->n, bare == 1 ? "lies" : "lie");
        return;
    }
    t->truth = TAKE(a, files->n, int);
    for (size_t i = 0; i < files->n; i++)
        t->truth[i] = (int)number_word(a, &labels, files->at[i],
                                       strcspn(files->at[i], "/"));
    label_texts(a, t, &labels);
}

static void read_texts(app *a, reading *run, task *t, const words *files)
{
    wordbook *w = book_of(a, run);
    t->bag = TAKE(a, 1, bag);
    for (size_t i = 0; i < files->n; i++) {
        const char *name = in_utf8(a, files->at[i]);
        read_text(a, join_path(a, t->file, files->at[i], ""), &w->buffer);
        add_text(w, t->bag, w->buffer.at, w->buffer.length);
        add_identity(a, &t->id, name, strlen(name));
        if (i % 64 == 0)
            safe_point(a, "reading", i, files->n);
    }
    t->id.name = "file";
}

/* Reads the directory t->file. */
void read_folder(app *a, reading *run, task *t)
{
    words files = {0, 0, NULL};
    list_folder(a, t->file, "", 0, &files);
    if (files.n == 0)
        fail(a, BAD_DATA, "%s: there is no text in this directory", t->file);
    qsort(files.at, files.n, sizeof *files.at, compare_words);
    if (!run->labels_only)
        read_texts(a, run, t, &files);
    t->n = t->rows = files.n;
    take_classes(a, run, t, &files);
}
