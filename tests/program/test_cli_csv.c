/* SPDX-License-Identifier: MIT
 *
 * test_cli_csv.c - tables as R, pandas, spreadsheets, databases and people
 * write them: what must come out of each, and what is refused and how.  With
 * one cluster the centers are the means of the columns: they tell which
 * numbers were read, and in which order.
 */
#include "cli.h"

typedef struct sheet {
    const char *by, *file, *text, *args;
    int n, labeled;
    const char *means;              /* of the features, in their order */
    const char *note;               /* on standard error; "": nothing at all */
} sheet;

static const sheet sheets[] = {
    /* R */
    {"R write.csv", "r.csv", "\"\",\"x\",\"y\"\n\"1\",1,4\n\"2\",2,5\n\"3\","
     "6,9\n", "", 3, 0, "3 6", "note: r.csv: the first column has no name and"
     " is left out; --use +1 keeps it"},
    {"R write.csv, row names kept", "r.csv", "\"\",\"x\"\n\"1\",1\n\"2\",2\n"
     "\"3\",6\n", "--use 1,x", 3, 0, "2 3", ""},
    {"R write.csv, some columns", "r.csv", "\"\",\"x\",\"y\"\n\"1\",1,4\n"
     "\"2\",3,8\n", "--use y", 2, 0, "6", ""},
    {"R write.csv, row names of words", "r.csv", "\"\",\"x\",\"y\"\n"
     "\"Ann\",1,4\n\"Bob\",3,8\n", "", 2, 0, "2 6",
     "note: r.csv: the first column has words and no name: they name the "
     "samples; --drop 1 leaves them out"},
    {"R write.csv, row names dropped", "r.csv", "\"\",\"x\"\n\"Ann\",1\n"
     "\"Bob\",3\n", "--drop 1", 2, 0, "2", ""},
    {"R write.table(sep = \",\")", "r.csv", "\"x\",\"y\"\n\"a\",1,4\n"
     "\"b\",3,8\n", "", 2, 0, "2 6", "words and no name"},
    {"R write.table, and empty rows that a sheet adds", "r.csv",
     "\"x\",\"y\"\n\"a\",1,4\n\"b\",3,8\n,,\n,,\n", "", 2, 0, "2 6",
     "words and no name"},
    {"R write.table(sep = \";\", na = \"\")", "r.csv", "\"x\";\"y\"\n"
     "\"a\";1;\n\"b\";3;8\n", "--missing mean", 2, 0, "2 8",
     "words and no name"},
    {"R write.table(sep = \"\\t\", quote = FALSE)", "r.tsv",
     "x\ty\n1\t1\t4\n2\t3\t8\n", "", 2, 0, "2 6", "has no name and is left"},
    {"R write.csv2", "r.csv", "\"\";\"x\";\"y\"\n\"1\";0,5;4\n\"2\";1,5;8\n",
     "--decimal ,", 2, 0, "1 6", "has no name"},
    {"R, a factor and NA", "r.csv", "\"x\",\"y\",\"class\"\n1,NA,\"a\"\n"
     "2,4,\"b\"\n4,6,\"a\"\n", "--missing drop", 2, 1, "3 5",
     "note: r.csv: 1 of 3 rows has missing values and is left out; its "
     "label is -1"},
    {"a label that is missing, which clusters need not", "f.csv",
     "x,y,class\n1,,a\n2,5,b\n4,7,?\n", "--missing drop", 2, 0, "3 6",
     "note: f.csv: 1 of 3 labels is missing, so that the file is not scored"},
    {"R, NA as a class of its own", "r.csv",
     "\"x\",\"class\"\n1,\"NA\"\n2,\"b\"\n", "", 2, 1, "1.5",
     "note: r.csv: class is taken for labels: 2 classes, and is no feature (-"
     "-labels none: a column like others)"},
    {"R, row.names = FALSE", "r.csv", "\"x\",\"y\"\n5,4\n7,8\n", "", 2, 0,
     "6 6", ""},
    /* pandas */
    {"pandas to_csv", "p.csv", ",x,y\n0,1.5,4\n1,2.5,5\n2,3.5,9\n", "", 3, 0,
     "2.5 6", "note: p.csv: the first column has no name and is left out; --u"
     "se +1 keeps it"},
    {"pandas to_csv, a filtered frame", "p.csv", ",x\n3,1\n8,2\n9,6\n", "", 3,
     0, "3", "has no name"},
    {"pandas to_csv(index = False), no names", "p.csv",
     "0,1,2\n1.5,4.5,.5\n2.5,5.5,0\n", "", 2, 0, "2 5 0.25", ""},
    {"the same, whole labels", "p.csv", "0,1,2\n1.5,4.5,1\n2.5,5.5,1\n",
     "--labels last", 2, 1, "2 5", "note: p.csv:1: numbers are taken for the "
     "header; --header no makes them a sample"},
    {"the same of two columns, or a curve from 0,1", "p.csv",
     "0,1\n1.5,4.0\n2.5,6.0\n", "", 2, 0, "2 5", "note: p.csv:1: numbers are "
     "taken for the header; --header no makes them a sample"},
    {"the same, a column of whole numbers", "p.csv",
     "0,1,2\n1.5,4,3\n2.5,6,5\n", "", 2, 0, "2 5 4", "note: p.csv:1: numbers "
     "are taken for the header; --header no makes them a sample"},
    {"no fractions: missing values and powers", "p.csv",
     "0,1\n# .5\nNA,?\n2,nan\n4,1e3\n", "--missing mean", 3, 0, "2 500.5",
     "note: p.csv: 1 gap in 2 is filled with the column's mean (--missing dro"
     "p leaves its row out)"},
    {"1,2,3 above fractions", "p.csv", "1,2,3\n.5,4.5,1.5\n.25,5.5,2.5\n", "",
     2, 0, "0.375 5 2", ""},
    {"the same, one column of whole numbers", "p.csv",
     "1,2,3\n.5,4.5,0\n.75,5.5,3\n", "", 2, 0, "0.625 5 1.5",
     "note: p.csv:1: numbers are taken for the header; --header no makes them"
     " a sample"},
    {"the same, two columns", "p.csv", "1,2\n.5,4.5\n.75,5.5\n", "", 2, 0,
     "0.625 5", ""},
    {"the same, nothing below", "p.csv", "1,2,3,4\n", "", 1, 0, "1 2 3 4", ""},
    {"pandas to_csv, no names", "p.csv", ",0,1\n0,1,4\n1,3,6\n", "", 2, 0,
     "2 5", "has no name"},
    {"numpy savetxt of whole numbers", "p.csv", "0,1\n2,4\n4,7\n", "", 3, 0,
     "2 4", ""},
    {"the same, a header", "p.csv", "0,1\n2,4\n4,7\n", "--header yes", 2, 0,
     "3 5.5", ""},
    {"pandas reset_index", "p.csv", "index,x,y\n0,5,4\n1,7,5\n2,9,9\n", "", 3,
     0, "7 6", "note: p.csv: column index counts the samples and is left out;"
     " --use +index keeps it"},
    {"the same, kept", "p.csv", "index,x,y\n0,5,4\n1,7,5\n2,9,9\n",
     "--use 1-3", 3, 0, "1 7 6", ""},
    {"pandas, NaN is empty", "p.csv", "x,y\n1,\n3,4\n,8\n", "--missing mean",
     3, 0, "2 6", "note: p.csv: 2 gaps in x and y are filled with the column's m"
     "ean (--missing drop leaves their rows out)"},
    {"pandas to_csv(sep = \"|\")", "p.csv", "x|y\n1|4\n3|6\n", "", 2, 0,
     "2 5", ""},
    {"scikit-learn iris", "p.csv", "4.5,1.5,target\n5.5,2.5,0\n6.5,3.5,1\n",
     "", 2, 1, "6 3", "note: p.csv: target is taken for labels: 2 classes, an"
     "d is no feature (--labels none: a column like others)"},
    {"a frame with target", "p.csv", "x,y,target\n1,4,0\n3,6,1\n", "", 2, 1,
     "2 5", "note: p.csv: target is taken for labels: 2 classes, and is no fe"
     "ature (--labels none: a column like others)"},
    {"a regression's target", "p.csv", "x,target\n1,4.5\n3,6.25\n", "", 2, 0,
     "2 5.375", ""},
    {"with a whole one", "p.csv", "x,target\n1,4.5\n3,6.0\n", "", 2, 0,
     "2 5.25", ""},
    {"labels beyond an int", "p.csv", "x,target\n1,9999999999\n3,-9999999998"
     "\n", "", 2, 1, "2", "note: p.csv: target is taken for labels: 2 classes"
     ", and is no feature (--labels none: a column like others)"},
    {"both class and label", "p.csv", "x,class,label\n1,4,0\n3,6,1\n", "", 2,
     1, "2 5", "note: p.csv: column label has the labels, class is a feature"},
    {"class of two tables", "p.csv", "x,Class,Class\n1,0,4\n3,1,6\n", "", 2, 1,
     "2 5", "note: p.csv: Class is taken for labels: 2 classes"},
    /* spreadsheets */
    {"Excel, en_US", "e.csv", "\xef\xbb\xbfx,y\r\n1,4\r\n3,6\r\n", "", 2, 0,
     "2 5", ""},
    {"Excel, de_DE", "e.csv", "\xef\xbb\xbfx;y\r\n1,5;4\r\n2,5;6,5\r\n",
     "--decimal ,", 2, 0, "2 5.25", ""},
    {"Excel, sep=", "e.csv", "sep=;\r\nx;y\r\n1;4\r\n3;6\r\n", "", 2, 0, "2 5",
     ""},
    {"LibreOffice, all quoted", "e.csv", "\"x\",\"y\"\n\"1\",\"4\"\n"
     "\"3\",\"6\"\n", "", 2, 0, "2 5", ""},
    {"LibreOffice, decimal comma in quotes", "e.csv", "\"x\",\"y\"\n"
     "\"1,5\",\"4\"\n\"2,5\",\"6\"\n", "--decimal ,", 2, 0, "2 5", ""},
    {"one column, decimal comma", "e.csv", "1,5\n2,5\n", "--decimal ,", 2, 0,
     "2", ""},
    {"names with commas and quotes", "e.csv", "\"a, b\",\"5\"\" pipe\"\n1,4\n"
     "3,6\n", "", 2, 0, "2 5", ""},
    {"a column behind the last", "e.csv", "x,y,\n1,4,\n3,6,\n", "--drop 3", 2,
     0, "2 5", ""},
    {"tabs", "e.tsv", "x\ty\n1\t4\n3\t6\n", "", 2, 0, "2 5", ""},
    {"tabs, and commas in words", "e.tsv", "x,1\ty,2\n1\t4\n3\t6\n", "", 2, 0,
     "2 5", ""},
    /* databases */
    {"sqlite3 -header", "d.csv", "id|x|y\n7|1|4\n9|3|6\n", "--id id", 2, 0,
     "2 5", ""},
    {"mysql -B", "d.tsv", "id\tx\ty\n1\t1\t4\n2\t3\t6\n3\tNULL\t8\n",
     "--missing drop --drop id", 2, 0, "2 5", "1 of 3 rows"},
    {"psql --csv, empty is null", "d.csv", "x,y\n1,4\n3,\n", "--missing drop",
     1, 0, "1 4", "1 of 2 rows"},
    {"a key that counts", "d.csv", "key,x,y\n1,5,4\n2,5,5\n3,8,9\n", "", 3, 0,
     "6 6", "note: d.csv: column key only numbers the samples and is left out"
     "; --use +key keeps it"},
    {"two keys that count", "d.csv", "a,b,x\n1,1,4\n2,2,5\n3,3,9\n", "", 3, 0,
     "2 6", "note: d.csv: column a counts the samples and is left out; --use "
     "+a keeps it"},
    {"a key alone", "d.csv", "key,class\n1,a\n2,b\n3,a\n", "", 3, 1, "2",
     "note: d.csv: class is taken for labels: 2 classes, and is no feature (-"
     "-labels none: a column like others)"},
    {"ARFF's question marks", "d.csv", "x,y\n?,4\n3,6\n5,?\n",
     "--missing mean", 3, 0, "4 5", "note: d.csv: 2 gaps in x and y are filled w"
     "ith the column's mean (--missing drop leaves their rows out)"},
    {"SAS's points", "d.csv", "x,y\n.,4\n3,6\n", "--missing drop", 1, 0,
     "3 6", "1 of 2"},
    /* by hand */
    {"spaces, signs, exponents", "h.csv", " x , y\n +1 , 4.\n3e0,\t6\n", "",
     2, 0, "2 5", NULL},
    {"words in a column, dropped", "h.csv", "x,city,y\n1,Rome,4\n3,Oslo,6\n",
     "--drop city", 2, 0, "2 5", ""},
    {"the same by number", "h.csv", "1,Rome,4\n3,Oslo,6\n", "--drop 2", 2, 0,
     "2 5", ""},
    {"words in a column, one-hot", "h.csv", "x,city\n1,Rome\n3,Oslo\n5,Rome\n"
     "7,Rome\n", "--onehot city", 4, 0, "4 0.25 0.75", ""},
    {"one-hot with a hole", "h.csv", "x,city\n1,Rome\n3,\n5,Oslo\n",
     "--onehot city --missing mean", 3, 0, "3 0.5 0.5", "note: h.csv: 1 gap i"
     "n city is filled with the column's mean (--missing drop leaves its row "
     "out)"},
    {"a word of the row of totals alone", "h.csv", "x,city\n1,Rome\n3,Oslo\n"
     "5,Rome\n7,Rome\n16,Total\n", "--onehot city", 4, 0, "4 0.25 0.75",
     "the last row, 'Total', is left out"},
    {"zeros above a total", "h.csv", "x,z,city\n1,0,Rome\n3,0,Oslo\n"
     "4,0,Total\n", "--onehot city --use x,z", 2, 0, "2 0 0.5 0.5", "'Total'"},
    {"a word column named class, dropped", "h.csv", "x,class\n1,a\n3,b\n",
     "--drop class", 2, 0, "2", ""},
    {"a column named class, used", "h.csv", "x,class\n1,4\n3,6\n",
     "--use x,class", 2, 0, "2 5", ""},
    {"years as names", "h.csv", "2001,2002\n1,4\n3,6\n", "--header yes", 2, 0,
     "2 5", ""},
    {"words all over, no header", "h.csv", "a,b\nc,d\n",
     "--header no --onehot 1,2", 2, 0, "0.5 0.5 0.5 0.5", ""},
    {"the World Bank's years", "h.csv", "country,2019,2020,2021\nItaly,1,4,7\n"
     "Peru,3,6,9\n", "--id 1", 2, 0, "2 5 8", ""},
    {"years, the newest first, and not all", "h.csv", "country,code,2020,2010,"
     "2000\nItaly,IT,1,4,7\nPeru,PE,3,6,9\n", "--use 3-5", 2, 0, "2 5 8", ""},
    {"pandas, years behind an index", "h.csv", ",1990,2000,2010\nItaly,1,4,7\n"
     "Peru,3,6,9\n", "", 2, 0, "2 5 8", "words and no name"},
    {"R, a matrix behind row names", "h.csv", "\"\",\"1\",\"2\"\n\"a\",1,4\n"
     "\"b\",3,6\n", "", 2, 0, "2 5", "words and no name"},
    {"two that count, beside a word", "h.csv", "Ann,0,1\nBob,1,0\nEve,2,2\n",
     "--id 1", 3, 0, "1 1", "note: h.csv:1: numbers are taken for a sample; -"
     "-header yes makes them the header"},
    {"two that ascend, whole as all are", "h.csv", "Ann,3,5\nBob,1,1\n",
     "--id 1", 2, 0, "2 3", ""},
    {"three that do not ascend", "h.csv", "Ann,3,6,5\nBob,1,1,2\n", "--id 1", 2,
     0, "2 3.5 3.5", ""},
    {"years of birth", "h.csv", "Ann,2019\nBob,2017\n", "--id 1", 2, 0, "2018",
     ""},
    {"from one year to the next", "h.csv", "Ann,2019,2020\nBob,2017,2018\n",
     "--id 1", 2, 0, "2018 2019", "note: h.csv:1: numbers are taken for a sam"
     "ple; --header yes makes them the header"},
    {"a year beside a word of --onehot", "h.csv", "blue,2008\nred,2000\n"
     "red,2004\nblue,2012\n", "--onehot 1", 4, 0, "0.5 0.5 2006", ""},
    {"an empty field before 1,2", "h.csv", ",1,2\n4,4,3\n2,1,1\n3,2,2\n",
     "--missing mean", 3, 0, "2.3333333 2", "note: h.csv: the first column ha"
     "s no name and is left out; --use +1 keeps it"},
    {"a header of words, and one of them below", "h.csv",
     "x,city\n1,Rome\n3,city\n", "--onehot 2", 2, 0, "2 0.5 0.5", ""},
    {"the same, which the option names", "h.csv", "x,city\n1,Rome\n3,city\n",
     "--onehot city", 2, 0, "2 0.5 0.5", ""},
    {"comments of another width", "h.csv", "x,y\n#1\n#1,\"2\",3\n3,6\n", "", 1,
     0, "3 6", ""},
    {"errors of a spreadsheet in one column", "h.csv", "x\r\n1\r\n#N/A\r\n3"
     "\r\n#DIV/0! \r\n# nothing\r\n", "--missing mean", 4, 0, "2",
     "note: h.csv: 2 gaps in x are filled with the column's mean (--missing d"
     "rop leaves their rows out)"},
    {"an error of a spreadsheet in the first line", "h.csv",
     "#N/A;5.5\n1;2\n3;6\n", "--missing mean", 3, 0, "2 4.5",
     "note: h.csv: 1 gap in 1 is filled with the column's mean (--missing dro"
     "p leaves its row out)"},
    {"the same in one column", "h.csv", "#N/A\n1\n3\n", "--missing mean", 3,
     0, "2", "note: h.csv: 1 gap in 1 is filled with the column's mean (--mis"
     "sing drop leaves its row out)"},
    {"a header whose first name is #", "h.csv", "#,x,y\n1,2,4\n2,4,6\n", "",
     2, 0, "3 5", "note: h.csv: the line with # above the numbers is taken fo"
     "r the header; --header no makes it a comment"},
    {"a header as numpy writes it", "h.csv",
     "# made by, me\n# x;y\n1,5;2\n2,5;6\n", "", 2, 0, "2 4",
     "note: h.csv: the line with # above the numbers is taken for the header;"
     " --header no makes it a comment"},
    {"the same that is asked for", "h.csv", "# x,y\n1,2\n3,4\n",
     "--header yes", 2, 0, "2 3", "note: h.csv: the line with # above the num"
     "bers is taken for the header; --header no makes it a comment"},
    {"a comment above numbers", "h.csv", "# x,y\n1,2\n3,4\n", "--header no", 2,
     0, "2 3", ""},
    {"a title", "h.csv", "# Spectra of wheat, batch 3\n4,6\n1,2\n3,4\n",
     "--header yes", 2, 0, "2 3", ""},
    {"a title above decimal commas", "h.tsv", "# Monday, lab\n1,5\t2\n2,5\t6\n",
     "", 2, 0, "2 4", "note: h.tsv: the comma is the decimal sign"},
    {"the same, one column", "h.csv", "# Monday, lab\n1,5\n2,5\n", "--decimal ,",
     2, 0, "2", ""},
    {"a title above quoted names", "h.csv", "# on Monday, by me\n\"a\";\"b\"\n"
     "1;2\n3;4\n", "", 2, 0, "2 3", ""},
    {"sodium in a comment", "h.csv", "# K,Na,Ca\n1,4,7\n3,6,9\n",
     "--use Na,K", 2, 0, "2 5", "note: h.csv: the line with # above the numbe"
     "rs is taken for the header; --header no makes it a comment"},
    {"comments of another width, or farther above", "h.csv", "# by me, then, 5\n"
     "# x,y,z\n# x,y\n\n1,2\n3,4\n", "", 2, 0, "2 3", ""},
    {"a comment above numbers of R, whose header has a name less", "h.csv",
     "#,y,z\n1,2\na,83,1\nb,5,6\n", "", 2, 0, "44 3.5", "note: h.csv: the first "
     "column has words and no name: they name the samples; --drop 1 leaves th"
     "em out"},
    {"a word for labels that is a value, too", "h.csv",
     "Target,5,3.5\nAldi,6,2\nKmart,2,4\n", "--id 1", 2, 0, "4 3", ""},
    {"sodium", "h.csv", "RI,Na,Mg\n1,4,7\n3,6,9\n", "", 2, 0, "2 5 8", ""},
    {"wavelengths above what was measured", "h.csv", "400,402,404\n.25,.75,.25\n"
     ".75,.25,.75\n", "--header yes", 2, 0, "0.5 0.5 0.5", ""},
    {"the same that is not asked for", "h.csv", "4,2.5,2\n0,.5,0\n", "", 2, 0,
     "2 1.5 1", ""},
    {"numbers that are like others", "h.csv", "1,2.5,4\n3,.5,3\n1,.5,5\n"
     "3,.5,4\n", "", 4, 0, "2 1 4", ""},
    {"a comment that may be data, in one column", "h.csv", "x\n1\n#7\n3\n",
     "", 2, 0, "2", ""},
    {"a blank line in one column", "h.csv", "x\n1\n\n3\n", "", 2, 0, "2", ""},
    {"blank lines in two", "h.csv", "x,y\n1,4\n\n3,6\n\n", "", 2, 0, "2 5",
     ""},
    {"two columns of one name", "h.csv", "x,x\n1,4\n3,6\n", "--drop 2", 2, 0,
     "2", ""},
    {"an inch is no quote", "h.csv", "id,x\n5\" pipe,4\n6\" pipe,6\n",
     "--id id", 2, 0, "5", ""},
    {"a line of 19 digits and more", "h.csv",
     "x,y\n0.1000000000000000055511151231257827,1e0\n0.3,3E0\n", "", 2, 0,
     "0.2 2", ""},
    {"refused once", "f.csv", "x,city\n1,Rome\n", "", 1, 0, "1",
     "note: f.csv: city: 1 different word, left out (--onehot city makes feat"
     "ures of them, --labels city compares them with the groups)"},
    {"refused once", "f.csv", "x,city,sex\n1,Rome,m\n", "", 1, 0, "1",
     "note: f.csv: columns city and sex have words: left out (--onehot city,s"
     "ex makes features of them)"},
    {"refused once", "f.csv", "x,city,sex\n1,Rome,m\n", "", 1, 0, "1",
     "note: f.csv: columns city and sex have words: left out (--onehot city,s"
     "ex makes features of them)"},
    {"refused once", "f.csv", "1,Rome\n2,Oslo\n", "", 2, 0, "1.5",
     "note: f.csv: 2: 2 different words, left out (--onehot 2 makes features "
     "of them, --labels 2 compares them with the groups)"},
    {"refused once", "f.csv", "x,y\n1,?\n", "", 1, 0, "1",
     "note: f.csv: column y is empty: left out"},
    {"refused once", "f.csv", "x,y\n1,.\n", "", 1, 0, "1",
     "note: f.csv: column y is empty: left out"},
    {"refused once", "f.csv", "x,y\n1,-\n", "", 1, 0, "1",
     "note: f.csv: column y is empty: left out"},
    {"refused once", "f.csv", "x,y\r1,4\r3,6\r", "", 2, 0, "2 5", ""},
    {"refused once", "f.csv", "1,4\r3,6\r", "", 2, 0, "2 5", ""},
    {"refused once", "f.csv", "x,y\n1,\n3,\n", "--missing mean", 2, 0, "2",
     "note: f.csv: column y is empty: left out"},
    {"refused once", "f.csv", "id;1;2\na;3;5\nb;4;7,5\n", "--labels first", 3,
     1, "2.6666667 4.8333333", "note: f.csv:1: numbers are taken for a sample"
     "; --header yes makes them the header"},
    {"refused once", "f.csv", "2021,2020\n3,5\n4,7\n", "", 2, 0, "3.5 6",
     "note: f.csv:1: numbers are taken for the header; --header no makes them"
     " a sample"},
    {"refused once", "f.csv", "who,x,2\nAnn,1,3\nBob,4,5\nEve,2,2\n", "", 3,
     0, "2.3333333 3.3333333", "note: f.csv:1: words above numbers: the line "
     "is taken for the header; --header no makes it a sample"}
};

TEST what_others_write_is_read(const void *one)
{
    const sheet *s = one;
    char args[300];
    cli_write(s->file, s->text);
    sprintf(args, "cluster kmeans --k 1 --preprocess none %s --json - %s", s->args, s->file);
    ASSERT_EQ_FMTm(s->by, 0, cli(args), "%d");
    ASSERTm(s->by, json_valid(cli_last()->out));
    ASSERT_EQ_FMTm(s->by, (double)s->n, json_number("tasks.0.n"), "%g");
    ASSERTm(s->by, same_numbers(s->means, means_read()));
    ASSERT_EQ_FMTm(s->by, s->labeled,
                   json_at(cli_last()->out, "tasks.0.acc") != NULL, "%d");
    if (s->note != NULL && *s->note == '\0')
        ASSERT_STR_EQm(s->by, "", cli_last()->err);
    else if (s->note != NULL)
        ASSERTm(s->note, strstr(cli_last()->err, s->note) != NULL);
    PASS();
}

typedef struct refusal {
    const char *file, *text, *args, *message;
} refusal;

static const refusal refusals[] = {
    {"f.csv", "x,city,sex\n1,Rome,m\n", "--drop x", "f.csv: no features: no c"
     "olumn is left\n  column 1 (x): left out by --drop\n  column 2 (city): w"
     "ords\n  column 3 (sex): words\n  try: mtc cluster kmeans --k 1 --drop x"
     " f.csv --onehot city"},
    {"f.csv", "x,y\n1,\n3,4\n", "", "f.csv:2: column 2 (y) is empty (1 of 2, "
     "50 %)\n  try: mtc cluster kmeans --k 1 f.csv --missing mean"},
    {"f.csv", "x,y\n1,N/A\n3,4\n", "", "f.csv:2: column 2 (y), 'N/A', is miss"
     "ing (1 of 2, 50 %)\n  try: mtc cluster kmeans --k 1 f.csv --missing mea"
     "n"},
    {"f.csv", "x,y\n1,null\n3,4\n", "", "f.csv:2: column 2 (y), 'null', is mi"
     "ssing (1 of 2, 50 %)\n  try: mtc cluster kmeans --k 1 f.csv --missing m"
     "ean"},
    {"f.csv", "x,y\n1,-Infinity\n", "--missing drop", "column 2 (y), "
     "'-Infinity', is not a finite number"},
    {"f.csv", "x;y\n1;2.5\n", "--decimal ,", "column 2 (y), '2.5', is not a "
     "number with the decimal sign ,"},
    /* everything at once, and what words may be */
    {"f.csv", "who,x,y,city,rate\nAnn,1,,Rome,7%\nBob,2,3,Rome,.07\nEve,3,4,"
     "Oslo,8%\nJim,4,5,Oslo,9%\n", "", "f.csv:2: column 3 (y) is empty (1 of "
     "4, 25 %)\n  f.csv:2: column 5 (rate), '7%', has the sign %, but other v"
     "alues of the column have none\n  try: mtc cluster kmeans --k 1 f.csv --"
     "drop rate --missing mean"},
    {"f.csv", "\"x\" \"y\"\n\"1\" 4 5\n", "", "f.csv:1: text after a closing "
     "quote; fields are parted by commas, semicolons, tabs or bars"},
    {"f.csv", "a | b\n---+---\n1 | 2\n", "", "f.csv: no features: no column i"
     "s left\n  column 1 (a | b): words\n  the table has one column: separate"
     " fields by commas, semicolons, tabs or bars"},
    {"f.csv", "price,x\n2,234,5\n3,111,6\n", "", "f.csv:2: 3 fields, but 2"},
    {"f.csv", "age,size\n1,4\n3,6\n", "--drop aeg", "f.csv:1: no column is "
     "named aeg (--drop); did you mean age?"},
    {"f.csv", "age,size\n1,4\n3,6\n", "--use age,sise", "f.csv:1: no column "
     "is named sise (--use); did you mean size?"},
    {"f.csv", "age,size\n1,4\n3,6\n", "--id nmae", "no column is named nmae "
     "(--id)"},
    {"f.csv", "age,size\n1,4\n3,6\n", "--labels sizes", "no column is named "
     "sizes (--labels); did you mean size?"},
    {"f.csv", "age,size\n1,4\n3,6\n", "--onehot 3", "f.csv:1: --onehot 3: "
     "columns have numbers from 1 to 2"},
    {"f.csv", "1,4\n3,6\n", "--drop age", "f.csv:1: --drop age: the file has "
     "no header; name columns by number, 1 to 2, or give --header yes"},
    {"f.csv", "x,y\n1,\n,3\n", "--missing drop", "f.csv: every row has a "
     "missing value; --missing mean fills them in"},
    {"f.csv", "x,y\n1,\n3,\n", "--onehot y --missing mean", "f.csv: column 2 "
     "(y) has no value; --drop y leaves it out"},
    {"f.csv", "x,y\n1,\n3,\n4,Total\n", "--onehot y --missing mean", "f.csv: "
     "column 2 (y) has no value; --drop y leaves it out"},
    {"f.csv", "x,y,z\n1,a,\n,b,2\n", "--onehot y --missing drop", "f.csv: "
     "every row has a missing value; --missing mean fills them in"},
    {"f.csv", "x,y\n1,4\n", "--drop x,y", "f.csv: no features: no column is l"
     "eft\n  column 1 (x): left out by --drop\n  column 2 (y): left out by --"
     "drop"},
    /* numbers as names, or samples */
    {"f.csv", "sample,400.5,401.0,401.5\nA,.31,.42,.33\nB,.71,.82,.7\n",
     "--id 1", "f.csv:1: a row of ascending numbers may be a header or a samp"
     "le: say --header yes or --header no"},
    {"f.csv", "Probe;400,5;401,5;402,5\nA;0,11;0,12;0,13\nB;0,9;0,7;0,8\n",
     "--id 1", "f.csv:1: a row of ascending numbers may be a header or a samp"
     "le: say --header yes or --header no"},
    {"f.csv", "<0.5,3.5,5\n1.5,3,6\n8.5,7,60\n", "", "f.csv:1: column 1, '<0."
     "5', is not a number (1 of 3 are none)\n  try: mtc cluster kmeans --k 1 "
     "f.csv --missing-word '<0.5' --missing mean"},
    {"f.csv", ",401.0,400.5\n0,.31,.42\n1,.71,.82\n", "--missing mean",
     "f.csv:1: a row of numbers may be a header or a sample: say --header yes"
     " or --header no"},
    {"f.csv", "Umsatz\n13 800,5\n11 425,4\n24 611,2\n", "",
     "f.csv:2: 2 fields, but 1 before; --decimal , if the comma is the decimal "},
    {"f.csv", "Preis\n1,50 EUR\n2,70 EUR\n", "",
     "f.csv:2: 2 fields, but 1 before; --decimal , if the comma is the decimal "},
    {"f.csv", "town,x\nRome,2,05\nOslo,3,5\n", "--decimal ,",
     "f.csv: no features: no column is left\n  column 1 (town,x): words\n  th"
     "e table has one column: separate fields by commas, semicolons, tabs or "
     "bars"},
    {"f.csv", "a,b\n1,5,2\n1,6,3\n9,5,8\n", "", "f.csv:3: 3 fields, but 2 bef"
     "ore; a value that has a separator in it needs quotes"},
    {"f.csv", "Preis\n$ 13,50\n$ 11,45\n", "",
     "f.csv:2: 2 fields, but 1 before; --decimal , if the comma is the decimal "},
    {"f.csv", "well,450,562,600\nA1,.1,.2,.3\nA2,.2,.5,.3\n", "--id 1",
     "f.csv:1: a row of ascending numbers may be a header or a sample: say --"
     "header yes or --header no"},
    {"f.csv", "well,450,562,600\nA1,1,2,3\nA2,4,7,3\n", "--drop 1",
     "a row of ascending numbers may be a header"},
    {"f.csv", "id;0;1;2\na;3;5;4\nb;4;7;8\n", "--use 2-4",
     "a row of ascending numbers may be a header"},
    {"f.csv", "450,562,kind\n.1,.2,a\n.1,.4,b\n", "--labels last",
     "a row of ascending numbers may be a header"},
    {"f.csv", "well,450,562\nA,.1,.2\nB,.2,.5\n", "--onehot 1",
     "a row of ascending numbers may be a header"},
    {"f.csv", "b,2,5,7\na,1,9,8\nb,3,6,3\n", "--labels first",
     "a row of ascending numbers may be a header"},
    {"f.csv", "country,2019\nItaly,3\nPeru,4\n", "--id 1",
     "f.csv:1: a row of years may be a header"},
    {"f.csv", "2020,2021\n2012,2005\n2004,2007\n", "",
     "a row of years may be a header"},
    {"f.csv", "yes,no,no\nno,no,no\nyes,yes,no\n", "--onehot 1-3",
     "f.csv:1: the words of this line are also values of their columns: it ma"
     "y be a header or a sample: say --header yes or --header no"},
    {"f.csv", "x\n1,5\n2,7\n3,9\n", "", "f.csv:2: 2 fields, but 1 before; --de"
     "cimal , if the comma is the decimal sign; if line 1 is a title, delete i"
     "t, or begin it with #\n  try: mtc cluster kmeans --k 1 f.csv --decimal "
     ","},
    {"f.csv", "x\n1,500\n2,700\n3,900\n", "", "f.csv:2: 2 fields, but 1 before"},
    {"f.csv", "Measurements\n74,374\n105,714\n149,961\n", "", "f.csv:2: 2 fields, "
     "but 1 before; --decimal , if"},
    {"f.csv", "x\n1,5\n2\n0,5\n", "", "f.csv:2: 2 fields, but 1 before; --decimal "
     ", if"},
    {"f.csv", "x\n3\n0,55\n", "", "f.csv:3: 2 fields, but 1 before; --decimal "
     ", if the comma is the decimal sign; if line 1 is a title, delete it, or "
     "begin it with #\n  try: mtc cluster kmeans --k 1 f.csv --decimal ,"},
    {"f.txt", "x,y\n1,2\n", "", "f.txt:1: 'x,y': this is no LIBSVM text, "
     "`label index:value ...`; a table has to be named .csv or .tsv, and texts by their "
     "folder"},
    {"f.txt", "1 2 3\n4 5 6\n", "", "this is no LIBSVM text"},
    {"f.txt", "0.5,0.25\n", "", "this is no LIBSVM text"},
    {"f.xlsx", "PK", "", "f.xlsx: unknown kind of file; known are .svm"},
    {"h.csv", "3,5,6,a\n1,1,2,b\n", "--labels last", "h.csv:1: a row of ascen"
     "ding numbers may be a header or a sample: say --header yes or --header "
     "no"},
    {"h.csv", "idle,2041,2047,2053\nwalk,2050,2054,2057\nidle,2041,2150,2040"
     "\n", "--id 1", "h.csv:1: a row of years may be a header or a sample: sa"
     "y --header yes or --header no"},
    {"h.csv", "b,2,5,7\na,1,9,8\nb,3,4,3\n", "--labels first",
     "h.csv:1: a row of ascending numbers may be a header or a sample: say --"
     "header yes or --header no"},
    {"h.csv", "b,2,5\na,1.5,9.5\nb,2.5,3.5\n", "--labels first",
     "h.csv:1: a row of ascending numbers may be a header or a sample: say --"
     "header yes or --header no"},
    {"h.csv", "rate\n0,75\n1,05\n0,45\n", "", "h.csv:2: 2 fields, but 1 before"
     "; --decimal , if the comma is the decimal sign; if line 1 is a title, de"
     "lete it, or begin it with #\n  try: mtc cluster kmeans --k 1 h.csv --dec"
     "imal ,"},
    {"h.csv", "x\n1,5\n2,7\n3,9\n", "--decimal .", "h.csv:2: 2 fields, but 1 b"
     "efore; if one of the lines is a title or a remark, delete it, or begin i"
     "t with #"},
    {"h.csv", "x\n1,15.5\n2,7\n3,9\n", "", "h.csv:2: 2 fields, but 1 before; -"
     "-decimal , if the comma is the decimal sign; if line 1 is a title, delet"
     "e it, or begin it with #"},
    {"h.csv", "x\n1,5\n2,-7\n3,8\n", "", "h.csv:2: 2 fields, but 1 before; --d"
     "ecimal , if the comma is the decimal sign; if line 1 is a title, delete "
     "it, or begin it with #"},
    {"h.csv", "x\n1, 5\n2, 7\n3, 9\n", "", "h.csv:2: 2 fields, but 1 before; -"
     "-decimal , if the comma is the decimal sign; if line 1 is a title, delet"
     "e it, or begin it with #"},
    {"h.csv", "x\n1,2e2\n2,.5\n3,99.5\n", "", "h.csv:2: 2 fields, but 1 before"
     "; --decimal , if the comma is the decimal sign; if line 1 is a title, de"
     "lete it, or begin it with #"},
    {"h.csv", "x,note,y\n#7,\"late, \"\"a\"\", broken\",30\n3,ok,6\n",
     "--drop note", "h.csv:2: column 1 (x), '#7', is not a number (1 of 2 are"
     " none)\n  try: mtc cluster kmeans --k 1 --drop note h.csv --missing-wor"
     "d '#7' --missing mean"},
    {"h.csv", "#N/A is a hole, so is\nx,y\n1,4\n3,6\n", "",
     "h.csv:2: column 1 (#N/A is a hole), 'x', is not a number (1 of 3 are no"
     "ne)\n  h.csv:2: column 2 (so is), 'y', is not a number (1 of 3 are none"
     ")\n  try: mtc cluster kmeans --k 1 h.csv --missing-word x,y --missing m"
     "ean"},
    {"h.csv", "x,y\n#1,4\n3,6\n", "", "h.csv:2: column 1 (x), '#1', is not a "
     "number (1 of 2 are none)\n  try: mtc cluster kmeans --k 1 h.csv --missi"
     "ng-word '#1' --missing mean"}
};

TEST what_cannot_be_read_is_refused_with_the_way_out(const void *one)
{
    const refusal *r = one;
    char args[300];
    cli_write(r->file, r->text);
    sprintf(args, "cluster kmeans --k 1 %s %s", r->args, r->file);
    ASSERT_EQ_FMTm(r->text, 1, cli(args), "%d");
    ASSERTm(cli_last()->err, strstr(cli_last()->err, r->message) != NULL);
    ASSERT_STR_EQ("", cli_last()->out);
    PASS();
}

TEST utf16_is_refused_by_name(void)
{
    cli_write_bytes("u.csv", "\xff\xfex\0,\0y\0\n\0", 10);
    RUNS(1, "cluster kmeans --k 1 u.csv");
    ERR_HAS("u.csv: this is UTF-16 text; save it as UTF-8");
    cli_write_bytes("u.csv", "\0" "1\0,\0" "2\0\n", 8);
    RUNS(1, "cluster kmeans --k 1 u.csv");
    ERR_HAS("UTF-16");
    cli_write_bytes("u.svm", "1\0 \0" "1\0:\0" "2\0\n\0", 12);
    RUNS(1, "cluster kmeans --k 1 u.svm");
    ERR_HAS("u.svm: this is UTF-16 text");
    PASS();
}

/* The line below a header of numbers tells, however far the next one is. */
TEST wide_headers_are_judged_by_the_line_below(void)
{
    enum { WIDE = 9000 };
    static char text[WIDE * 40];
    char *to = text;
    for (int i = 0; i < WIDE; i++)
        to += sprintf(to, "%d%c", i, i + 1 < WIDE ? ',' : '\n');
    for (int row = 0; row < 2; row++)
        for (int i = 0; i < WIDE; i++)
            to += sprintf(to, "%.12f%c", row + i / (double)WIDE + .00001,
                          i + 1 < WIDE ? ',' : '\n');
    cli_write("wide.csv", text);
    RUNS(0, "cluster kmeans --k 1 wide.csv --json - --quiet");
    JSON_NEAR("tasks.0.n", 2);
    PASS();
}

TEST columns_are_matched_by_name(void)
{
    cli_write("m1.csv", "x,y,class\n1,4,a\n3,6,b\n");
    cli_write("m2.csv", "y,x\n10,100\n30,300\n");
    RUNS(0, "cluster kmeans --k 1 m1.csv m2.csv --json -");
    JSON_NEAR("tasks.0.centers.0.0", 2);
    JSON_NEAR("tasks.1.centers.0.0", 200);
    JSON_NEAR("tasks.1.centers.0.1", 20);
    cli_write("m3.csv", "x,z\n10,100\n30,300\n");
    RUNS(1, "cluster kmeans --k 1 m1.csv m3.csv");
    ERR_HAS("m1.csv: no column is named z, as in m3.csv\n");
    ERR_HAS("m3.csv: no column is named y, as in m1.csv\n");
    ERR_HAS("try: mtc cluster kmeans --k 1 m1.csv m3.csv --match common\n");
    RUNS(1, "cluster kmeans --k 1 -- m1.csv m3.csv");
    ERR_HAS("try: mtc cluster kmeans --k 1 --match common -- m1.csv m3.csv\n");
    RUNS(0, "cluster kmeans --k 1 m1.csv m3.csv --match common --json -");
    JSON_NEAR("tasks.1.centers.0.0", 20);
    JSON_NEAR("tasks.1.d", 1);
    ASSERT(json_is("notices.1.code", "\"match\""));
    ASSERT(json_is("notices.1.columns", "[\"y\", \"z\"]"));
    RUNS(1, "cluster kmeans --k 1 m1.csv m3.csv --drop z");
    ERR_HAS("mtc: m3.csv: no column is named y, as in m1.csv");
    RUNS(0, "cluster kmeans --k 1 m1.csv m3.csv --drop z,y");
    RUNS(0, "cluster kmeans --k 1 m1.csv m3.csv --use x --json -");
    JSON_NEAR("tasks.0.d", 1);
    RUNS(1, "cluster kmeans --k 1 m1.csv m3.csv --use y");
    ERR_HAS("m3.csv:1: no column is named y (--use)");
    cli_write("m4.csv", "2,b\nu,1\nv,2\nu,4\nu,9\n");
    cli_write("m5.csv", "a,b\n1,4\n2,5\n3,4\n5,7\n");
    RUNS(1, "cluster kmeans --k 1 --header yes --onehot 2 m4.csv m5.csv");
    ERR_HAS("m4.csv: no column is named b=4, as in m5.csv\n");
    cli_write("m4.csv", ",x,y\n0,2.,5.50");
    cli_write("m5.csv", "other,1\n");       /* column 1 has a word alone */
    RUNS(1, "cluster kmeans --k 1 m4.csv m5.csv --match common --missing fail");
    ERR_HAS("m5.csv: column 1 (1) has no value; --drop 1 leaves it out");
    PASS();
}

TEST without_headers_widths_agree(void)
{
    cli_write("m1.csv", "x,y\n1,4\n3,6\n");
    cli_write("m2.csv", "10,100\n30,300\n");
    cli_write("m3.csv", "10,100,1\n30,300,1\n");
    RUNS(0, "cluster kmeans --k 1 m1.csv m2.csv --json -");
    JSON_NEAR("tasks.1.centers.0.0", 20);
    RUNS(1, "cluster kmeans --k 1 m1.csv m3.csv");
    ERR_HAS("m1.csv has 2 features, m3.csv has 3; without headers columns go "
            "by position: --use or --drop choose them");
    RUNS(0, "cluster ec --k 1 m1.csv m3.csv");      /* each has its own */
    PASS();
}

TEST labels_may_be_absent_in_other_files(void)
{
    cli_write("m1.csv", "x,y,kind\n1,4,a\n3,6,b\n");
    cli_write("m2.csv", "x,y\n10,100\n30,300\n");
    RUNS(0, "cluster kmeans --k 1 m1.csv m2.csv --labels kind --json -");
    ASSERT(json_at(cli_last()->out, "tasks.0.acc") != NULL);
    ASSERT(json_at(cli_last()->out, "tasks.1.acc") == NULL);
    RUNS(0, "transfer svm --source m1.csv --target m2.csv --labels kind");
    RUNS(1, "cluster kmeans --k 1 m1.csv m2.csv --labels knid");
    ERR_HAS("m1.csv:1: no column is named knid (--labels); did you mean "
            "kind?");
    PASS();
}

TEST words_of_all_files_are_features(void)
{
    cli_write("m1.csv", "x,city\n1,Rome\n3,Oslo\n");
    cli_write("m2.csv", "city,x\nKiel,5\nRome,7\n");
    RUNS(0, "cluster kmeans --k 1 m1.csv m2.csv --onehot city --json -");
    JSON_NEAR("tasks.0.d", 4);                      /* x, Kiel, Oslo, Rome */
    JSON_NEAR("tasks.0.centers.0.1", 0);
    JSON_NEAR("tasks.0.centers.0.2", .5);
    JSON_NEAR("tasks.1.centers.0.1", .5);
    JSON_NEAR("tasks.1.centers.0.2", 0);
    JSON_NEAR("tasks.1.centers.0.3", .5);
    cli_write("m3.csv", "x,city\n1,Rome\n1.1,Rome\n1,Oslo\n1,Oslo\n");
    RUNS(0, "cluster kmeans --k 2 m3.csv --onehot city");
    OUT_HAS("city=Rome");
    RUNS(2, "cluster kmeans --k 2 m3.csv --onehot city --drop city");
    ERR_HAS("m3.csv: column city is named by --onehot and by --drop");
    PASS();
}

/* Words that the model has not are told, but not those of rows that go. */
TEST words_new_to_a_model_are_told(void)
{
    cli_write("w1.csv", "x,city,y\n1,Rome,2\n5,Kiel,3\n");
    cli_write("w2.csv", "x,city,y\n7,Kiel,1\n9,Rome,5\n3,Bari,\n");
    cli_write("w3.csv", "x,city,y\n3,Oslo,4\n");
    RUNS(0, "cluster kmeans --k 1 w1.csv --onehot city --save w.json");
    RUNS(0, "assign w.json w2.csv w3.csv --task w1 --missing drop");
    ASSERT(strstr(cli_last()->err, "city=Bari is new to") == NULL);
    ASSERT(strstr(cli_last()->err, "w2.csv: city=Oslo is new to") == NULL);
    ERR_HAS("w3.csv: city=Oslo is new to w.json and left out\n");
    /* A source's row without a label goes. */
    cli_write("w4.csv", "x,city,class\n1,Rome,a\n3,Rome,\n5,Kiel,b\n");
    cli_write("w5.csv", "x,city\n1,Rome\n5,Kiel\n");
    RUNS(0, "transfer svm --source w4.csv --target w5.csv --onehot city "
            "--missing drop --json -");
    ERR_HAS("w4.csv: 1 of 3 rows");
    JSON_NEAR("tasks.0.d", 3);
    PASS();
}

/* What may be one word, written in two ways, is told; no more than that. */
TEST words_that_differ_in_form_are_told(void)
{
    static const struct { const char *one, *two, *note; } pair[] = {
        {"TRUE\nFALSE\n", "False\nTrue\n", "column y: the words FALSE and False "
         "stay apart; write them alike if they mean the same\n"},
        {"Rome\nrome\n", "Oslo\nKiel\n", "the words Rome and rome stay apart"},
        {"Rome\nRom\n", "Oslo\nKiel\n", NULL},
        {"1\n1a\n", "1.0\n0\n", NULL}};
    char text[60];
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        sprintf(text, "y\n%s", pair[i].one);
        cli_write("m1.csv", text);
        sprintf(text, "y\n%s", pair[i].two);
        cli_write("m2.csv", text);
        RUNS(0, "cluster kmeans --k 1 m1.csv m2.csv --onehot y --save m.json");
        if (pair[i].note == NULL)
            ASSERT_STR_EQ("", cli_last()->err);
        else
            ERR_HAS(pair[i].note);
        RUNS(0, "assign m.json m1.csv --task m1 --strict");
    }
    PASS();
}

/* Labels that differ in case alone are told: they are two classes. */
TEST labels_that_may_be_one_are_told(void)
{
    cli_write("case.csv", "x,y,class\n1.5,2,Yes\n2.5,3,yes\n7,8.5,No\n8,8,No\n");
    RUNS(0, "cluster kmeans case.csv");
    ERR_HAS("note: labels: the words Yes and yes stay apart; write them alike if "
            "they mean the same\n");
    cli_write("case.csv", "x,y,class\n1.5,2,Yes\n2.5,3,Yes\n7,8.5,No\n8,8,No\n");
    RUNS(0, "cluster kmeans case.csv");
    ASSERT(strstr(cli_last()->err, "stay apart") == NULL);
    PASS();
}

/* Figures that an instrument writes below the rows count as samples, which is
 * told; groups that have such names are none. */
TEST a_row_of_totals_is_left_out(void)
{
    cli_write("plate.csv", "well,x,y\nA1,1.5,2\nA2,2.5,3\nB1,7,8.5\nB2,8,8\n"
              "B3,2,7\nMean,4.2,5.7\nSD:,2.9,2.8\n");
    RUNS(0, "cluster kmeans --k 2 --id well plate.csv --json -");
    JSON_NEAR("tasks.0.n", 7);
    cli_write("plate.csv", "well,x,y\nA1,1.5,2\nA2,2.5,3\nB1,7,8.5\nB2,8,8\n"
              "Average,9,9\nTotal,19,21.5\n");
    RUNS(0, "cluster kmeans --k 2 --id well plate.csv");
    ERR_HAS("the last row, 'Total', is left out");
    PASS();
}

/* Times of 60 pictures a second, in hundredths, go up by one step. */
TEST rounded_times_are_told(void)
{
    char csv[400] = "t,x\n";
    size_t at = 4;
    for (int i = 0; i < 20; i++)
        at += (size_t)sprintf(csv + at, "%.2f,%d\n", i / 60.0, i * i % 7);
    cli_write("film.csv", csv);
    RUNS(0, "cluster kmeans --k 2 film.csv");
    ERR_HAS("note: film.csv: column t ascends from row to row");
    for (int i = 0; i < 20; i++)
        at += (size_t)sprintf(csv + at, "%.2f,%d\n", 0.34 + i * i / 600.0, i);
    cli_write("film.csv", csv);
    RUNS(0, "cluster kmeans --k 2 film.csv");
    ASSERT(strstr(cli_last()->err, "column t ") == NULL);
    PASS();
}

TEST an_index_counts_in_all_files(void)
{
    cli_write("i1.csv", "n,x,y\n1,5,4\n2,5,5\n3,8,9\n");
    cli_write("i2.csv", "n,x,y\n0,5,4\n1,5,5\n2,8,9\n");
    cli_write("i3.csv", "n,x,y\n7,5,4\n1,5,5\n2,8,9\n");
    RUNS(0, "cluster kmeans --k 1 i1.csv i2.csv --json -");
    ERR_HAS("note: i1.csv (and 1 more): column n counts the samples");
    JSON_NEAR("tasks.1.d", 2);
    RUNS(0, "cluster kmeans --k 1 i1.csv i3.csv --json -");
    JSON_NEAR("tasks.1.d", 3);
    RUNS(0, "cluster kmeans --k 1 i1.csv i2.csv --quiet");
    ASSERT_STR_EQ("", cli_last()->err);
    PASS();
}

TEST standard_input_is_a_table(void)
{
    char line[2 * CLI_PATH];
    sprintf(line, "printf 'x,y\\n1,4\\n3,6\\n' | %s cluster kmeans --k 1 - "
            "--out piped --json -", cli_program());
    ASSERT_EQ(0, cli_start(line, "", 0));
    ASSERT(json_is("tasks.0.name", "\"stdin\""));
    ASSERT_STR_EQ("2 5", means_read());
    ASSERT_EQ(0, cli_shell("test -f piped/stdin.labels"));
    sprintf(line, "printf 'x,y\\n1,4\\n3,6\\n' | %s cluster kmeans --k 1 - -",
            cli_program());
    ASSERT_EQ(2, cli_start(line, "", 0));
    ERR_HAS("-: standard input can be read but once");
    PASS();
}

/* The text of a file written. */
static const char *written(const char *name)
{
    static char text[CLI_TEXT];
    return cli_read(cli_path(name), text);
}

TEST clusters_are_written_with_the_samples_names(void)
{
    RUNS(0, "cluster kmeans a.csv --out o");
    ASSERT_STR_EQ("row,cluster\n1,0\n2,0\n3,1\n4,1\n", written("o/a.csv"));
    cli_write("n.csv", "who,x,y\n\"A, B\",0,0\n,0,1\n\"say \"\"c\"\"\",10,0\n"
                       "d,10,1\n");
    RUNS(0, "cluster kmeans --k 2 n.csv --id who --out o");
    ASSERT_STR_EQ("who,cluster\n\"A, B\",0\n\"\",0\n\"say \"\"c\"\"\",1\n"
                  "d,1\n", written("o/n.csv"));
    cli_write("n.csv", ",x,y\nA,0,0\nB,0,1\n7,10,0\nd,10,1\n");
    RUNS(0, "cluster kmeans --k 2 n.csv --out o");
    ASSERT_STR_EQ("id,cluster\nA,0\nB,0\n7,1\nd,1\n", written("o/n.csv"));
    cli_write("n.csv", ",x,y\n0,0,0\n1,0,1\n2,10,0\nd,10,1\n");
    RUNS(0, "cluster kmeans --k 2 n.csv --out o");
    ASSERT_STR_EQ("id,cluster\n0,0\n1,0\n2,1\nd,1\n", written("o/n.csv"));
    /* Never over an input. */
    RUNS(0, "cluster kmeans a.csv --out .");
    ERR_HAS("note: ./a.csv is an input: a.out.csv has the clusters");
    ASSERT_STR_EQ(SQUARE, written("a.csv"));
    PASS();
}

/* Labels that only score may be missing, above all those of a target; those of
 * a source may not. */
TEST labels_that_only_score_may_be_missing(void)
{
    cli_write("part.csv", "x,y,label\n0,0,5\n0,2,\n10,0,7\n10,2,NA\n");
    RUNS(0, "cluster kmeans --k 2 part.csv --json -");
    ERR_HAS("note: part.csv: 2 of 4 labels are missing, so that the file is "
            "not scored");
    JSON_NEAR("tasks.0.n", 4);
    RUNS(0, "choose part.csv --missing drop");
    ERR_HAS("2 of 4 labels are missing, so that the file is not scored");
    ASSERT(strstr(cli_last()->err, "left out") == NULL);
    RUNS(0, "transfer svm --source a.csv --target part.csv --missing drop "
            "--json -");
    ASSERT(json_is("tasks.0.labels", "[0, 0, 1, 1]"));
    RUNS(1, "transfer svm --source part.csv --target a.csv");
    ERR_HAS("part.csv:3: the label is empty: --missing drop leaves such rows "
            "out, --labels none all labels");
    RUNS(0, "transfer svm --source part.csv --target a.csv --missing drop");
    ERR_HAS("part.csv: 2 of 4 rows have missing values and are left out");
    /* Though all that is missing is in a column that is left out, or a date. */
    cli_write("part.csv", "x,y,class\n1,,\n2,5,a\n4,5,b\n9,5,?\n");
    RUNS(0, "transfer svm --source part.csv --target part.csv --missing drop");
    ERR_HAS("part.csv: 2 of 4 rows have missing values and are left out");
    cli_write("part.csv", "when,class\n2020-01-01,a\n2020-01-05,b\n"
              "2020-02-01,\n");
    RUNS(0, "transfer svm --source part.csv --target part.csv --missing drop "
            "--dates days");
    ERR_HAS("part.csv: 1 of 3 rows has missing values and is left out");
    RUNS(2, "transfer ttl --source a.csv --target b.csv --view1 a.csv --view2 "
            "b.csv --missing drop");
    ERR_HAS("--missing drop would part the pairs");
    PASS();
}

/* A row of gaps alone has nothing that could be filled in, and no mean comes
 * from it. */
TEST rows_without_any_value_are_left_out(void)
{
    static char text[CLI_TEXT];
    cli_write("v.csv", "x,y\n1,20\n,\n3,\n5,40\n");
    RUNS(0, "cluster kmeans --k 1 v.csv --missing mean --json - --out v");
    ERR_HAS("v.csv: 1 of 4 rows has no value and is left out; its label is -1");
    ERR_HAS("v.csv: 1 gap in y is filled");
    JSON_NEAR("tasks.0.n", 3);
    JSON_NEAR("tasks.0.centers.0.0", 3);
    JSON_NEAR("tasks.0.centers.0.1", 30);
    ASSERT_STR_EQ("0\n-1\n0\n0\n", cli_read(cli_path("v/v.labels"), text));
    PASS();
}

/* Words find each other by the name of their column. */
TEST words_of_files_with_and_without_a_header_do_not_mix(void)
{
    cli_write("oa.csv", "x,color\n1.5,red\n2,blue\n");
    cli_write("ob.csv", "1.5,red\n2,green\n3,black\n");
    RUNS(1, "cluster kmeans --k 2 --onehot 2 oa.csv ob.csv");
    ERR_HAS("--onehot needs a header in every file, or in none");
    RUNS(0, "cluster kmeans --k 2 --onehot 2 --header no ob.csv ob.csv");
    PASS();
}

/* An index stays one where the label of a row is missing. */
TEST index_is_seen_beside_a_missing_label(void)
{
    cli_write("i.csv", "id,x,label\n1,5,a\n2,6,\n3,50,b\n4,51,b\n");
    RUNS(0, "transfer svm --source i.csv --target i.csv --missing drop --json "
            "-");
    JSON_NEAR("tasks.0.d", 1);
    PASS();
}

TEST rows_left_out_keep_their_lines(void)
{
    cli_write("n.csv", "x,y,class\n,0,p\n0,0,p\n0,1,p\n10,NA,q\n10,0,q\n"
                       "10,1,q\nNA,2,q\n");
    RUNS(0, "cluster kmeans n.csv --missing drop --out o --json -");
    ERR_HAS("3 of 7 rows");
    ASSERT_STR_EQ("-1\n0\n0\n-1\n1\n1\n-1\n", written("o/n.labels"));
    ASSERT_STR_EQ("row,cluster\n1,-1\n2,0\n3,0\n4,-1\n5,1\n6,1\n7,-1\n",
                  written("o/n.csv"));
    JSON_NEAR("tasks.0.n", 4);
    JSON_NEAR("tasks.0.dropped", 3);
    JSON_NEAR("tasks.0.acc", 1);
    ASSERT(json_is("tasks.0.labels", "[-1, 0, 0, -1, 1, 1, -1]"));
    RUNS(0, "cluster kmeans n.csv b.csv --k 2 --missing drop --json -");
    JSON_NEAR("tasks.1.dropped", 0);
    /* What was written is a start for the same file. */
    RUNS(0, "cluster kmeans n.csv --missing drop --init o/n.labels --k 2");
    RUNS(1, "cluster kmeans n.csv --missing mean --init o/n.labels --k 2");
    PASS();
}

/* All values are counted, of words, of numbers, and of both in one column. */
TEST describe_counts_different_values(void)
{
    enum { ROWS = 2400 };
    static char table[40 * ROWS], lines[60 * ROWS];
    char *t = table, *l = lines;
    t += sprintf(t, "x,name,town,note,size\n");
    for (int i = 0; i < ROWS; i++) {
        t += sprintf(t, "%d.5,n%d,t%d,the note %d of it,%s\n", i % 7, i, i / 2,
                     i, i % 3 == 0 ? "big" : i % 3 == 1 ? "1.0" : "1");
        l += sprintf(l, "{\"x\":%d.50,\"town\":\"t%d\",\"note\":"
                     "\"the note %d of it\"}\n", i % 7, i / 2, i);
    }
    cli_write("many.csv", table);
    RUNS(0, "describe many.csv --json -");
    JSON_NEAR("tasks.0.columns.0.different", 7);
    JSON_NEAR("tasks.0.columns.1.different", ROWS);
    JSON_NEAR("tasks.0.columns.2.different", ROWS / 2);
    JSON_NEAR("tasks.0.columns.4.different", 2);
    ASSERT(json_is("tasks.0.columns.1.role", "\"id\""));
    ASSERT(json_is("tasks.0.columns.2.role", "\"left out\""));
    ASSERT(json_is("tasks.0.columns.3.why", "\"texts\""));
    RUNS(0, "describe many.csv --id town --json -");    /* one has the names */
    ASSERT(json_is("tasks.0.columns.1.role", "\"left out\""));
    ASSERT(json_is("tasks.0.columns.2.role", "\"id\""));
    cli_write("many.jsonl", lines);
    RUNS(0, "describe many.jsonl --json -");
    JSON_NEAR("tasks.0.columns.0.different", 7);
    JSON_NEAR("tasks.0.columns.1.different", ROWS / 2);
    ASSERT(json_is("tasks.0.columns.2.why", "\"texts\""));
    PASS();
}

/* Rows of JSON lines may be longer than their lines: each member that some line
 * has is a cell of all. */
TEST members_that_lines_lack_are_missing(void)
{
    enum { MEMBERS = 60, ROWS = 300 };
    static char lines[MEMBERS * 20 + ROWS * 40];
    char *l = lines + sprintf(lines, "{\"x\": 2");
    for (int j = 0; j < MEMBERS; j++)
        l += sprintf(l, ", \"m%d\": %d", j, j);
    l += sprintf(l, "}\n");
    for (int i = 0; i < ROWS; i++)
        l += sprintf(l, "{\"x\":%d}\n", i % 2 == 0 ? 1 : 3);
    sprintf(l, "{\"late\": 7, \"m1\": 4, \"x\": 2}\n");
    cli_write("lack.jsonl", lines);
    RUNS(0, "cluster kmeans --k 1 lack.jsonl --use x,m1,late --missing mean "
            "--preprocess none --json - --quiet");
    JSON_NEAR("tasks.0.n", ROWS + 2);
    ASSERT_STR_EQ("2 2.5 7", means_read());
    RUNS(0, "describe lack.jsonl --json -");
    JSON_NEAR("tasks.0.columns.60.missing", ROWS + 1);
    JSON_NEAR("tasks.0.columns.60.range.1", MEMBERS - 1);
    PASS();
}

/* NA may be a country. */
TEST what_is_quoted_among_words_is_a_word(void)
{
    static char text[CLI_TEXT];
    cli_write("q.csv", "x,land\n1,NA\n2,\"NA\"\n5,DE\n6,\"\"\n7,FR\n");
    RUNS(0, "cluster kmeans q.csv --onehot land --k 1 --missing drop --json -");
    ASSERT(json_is("tasks.0.labels", "[-1, 0, 0, -1, 0]"));
    JSON_NEAR("tasks.0.d", 4);                  /* x, DE, FR, "NA" */
    cli_write("q.csv", "x,land\n1,NA\n2,\"NA\"\n\"NA\",DE\n6,\"\"\n7,FR\n"
              "8,\"NA\"\n");
    RUNS(0, "describe q.csv --out read --json -");
    JSON_NEAR("tasks.0.columns.0.missing", 1);  /* among numbers it is none */
    JSON_NEAR("tasks.0.columns.1.missing", 2);
    JSON_NEAR("tasks.0.columns.1.different", 3);
    ASSERT_STR_EQ("x,land\n1,NA\n2,\"NA\"\n,DE\n6,\n7,FR\n8,\"NA\"\n",
                  cli_read(cli_path("read/q.csv"), text));
    RUNS(1, "cluster kmeans q.csv --drop land --k 1");
    ERR_HAS("q.csv:4: column 1 (x), 'NA', is missing (1 of 6, 17 %)");
    cli_write("q.csv", "x,y\n1,\"NA\"\n2,\"NA\"\n");
    RUNS(0, "cluster kmeans q.csv --k 1");
    ERR_HAS("q.csv: column y is empty: left out");
    RUNS(0, "describe q.csv --json -");
    JSON_NEAR("tasks.0.columns.1.missing", 2);
    cli_write("q.csv", "x,y\n$1,1\n\"?\",2\n");
    RUNS(1, "cluster kmeans q.csv --k 1");
    ERR_HAS("q.csv:3: column 1 (x), '?', is missing (1 of 2, 50 %)");
    RUNS(0, "help compare");
    OUT_HAS("(quoted, among words, they are words)");
    PASS();
}

TEST classes_are_written_by_their_own_words(void)
{
    cli_write("s.csv", "x,y,class\n0,0,cat\n0,1,cat\n10,0,\"a dog\"\n"
                       "10,1,\"a dog\"\n");
    cli_write("t.csv", "name,y,x\nAnn,0,1\nBob,1,9\nEve,,3\n");
    RUNS(0, "transfer svm --source s.csv --target t.csv --id name "
            "--missing drop --out o");          /* the target's alone */
    ASSERT(strncmp(written("o/t.csv"), "name,class,score\nAnn,cat,", 25) == 0);
    RUNS(1, "transfer svm --source s.csv --target t.csv --id nmae");
    ERR_HAS("t.csv:1: no column is named nmae (--id); did you mean name?");
    RUNS(0, "transfer svm --source s.csv --target t.csv --drop name "
            "--missing drop --out o");
    ASSERT(strncmp(written("o/t.csv"), "row,class,score\n1,cat,", 22) == 0);
    ASSERT(strstr(written("o/t.csv"), "\n2,\"a dog\",") != NULL);
    ASSERT(strstr(written("o/t.csv"), "\n3,,\n") != NULL);
    ASSERT_STR_EQ("0\n1\n-1\n", written("o/t.labels"));
    RUNS(0, "transfer lssttc --source a.csv --target b.csv --subspace 1 "
            "--out o");
    ASSERT(strncmp(written("o/b.csv"), "row,class,score\n1,5,\n", 21) == 0);
    PASS();
}

TEST features_of_sparse_text_get_names(void)
{
    cli_write("w.svm", "0 1:1 2:9\n0 1:1 2:8\n1 3:5\n1 3:6\n");
    cli_write("names.txt", "the\napple\nwheel\n");
    RUNS(0, "cluster kmeans w.svm --names names.txt");
    OUT_HAS("apple");
    cli_write("bare.csv", "1,1.5,9\n1,1.25,8\n2,7.5,1\n2,7.25,2\n");
    RUNS(1, "cluster kmeans bare.csv --labels first --names names.txt");
    ERR_HAS("names.txt: 3 names for 2 features");
    cli_write("names.txt", "the\napple\n");
    RUNS(0, "cluster kmeans bare.csv --labels first --names names.txt");
    RUNS(1, "cluster kmeans w.svm --names names.txt");
    ERR_HAS("names.txt: 2 names for 3 features");
    RUNS(2, "cluster kmeans a.csv --names names.txt");
    ERR_HAS("a.csv: has names in its header; --names is for files without");
    RUNS(2, "cluster kmeans w.svm --drop 1");
    ERR_HAS("w.svm: --drop is for tables\n");
    PASS();
}

/* The j-th of some numbers that are hard to round, or drawn by a rule. */
static void write_number(char *s, int j)
{
    static const char *const hard[] = {
        "9007199254740993", "9007199254740995", "9007199254740992.5",
        "0.1", "1e23", "8.5e22", "5e-324", "2.2250738585072011e-308",
        "1.7976931348623157e44", "123456789012345678901234567890",
        "0.000000000000000000000000000000000000012345", "-0.0",
        "4503599627370496.5", "4503599627370497.5", "9223372036854775807",
        "18446744073709551615", "18446744073709551616e-5",
        "6929495644600919.5", "3.7455744005952583e15", "1.0000000000000002",
        "7.2057594037927933e16", "00000000000000000000000001.5", "12e-27"};
    unsigned long long w = 88172645463325252ULL;
    if (j < (int)(sizeof hard / sizeof hard[0])) {
        strcpy(s, hard[j]);
        return;
    }
    for (int i = 0; i < j; i++) {
        w ^= w << 13;
        w ^= w >> 7;
        w ^= w << 17;
    }
    sprintf(s, j % 2 ? "%s%llue%d" : "%s%llu.%d", j % 3 ? "" : "-",
            w >> (j % 50), j % 2 ? j % 44 - 22 - (int)(w % 7) : j * j);
}

TEST numbers_are_the_nearest_doubles(void)
{
    static char text[CLI_TEXT], comma[CLI_TEXT];
    char path[40], s[80];
    enum { N = 400 };
    text[0] = '\0';
    for (int j = 0; j < N; j++) {
        write_number(s, j);
        strcat(strcat(text, s), j + 1 < N ? ";" : "\n");
    }
    cli_write("numbers.csv", text);
    strcpy(comma, text);
    for (char *p = comma; *p != '\0'; p++)
        if (*p == '.')
            *p = ',';
    cli_write("commas.csv", comma);
    for (int run = 0; run < 2 && sizeof(mtc_real) == sizeof(double); run++) {
        RUNS(0, run == 0 ? "cluster kmeans --k 1 numbers.csv --json -"
                         : "cluster kmeans --k 1 commas.csv --decimal , "
                           "--json -");
        for (int j = 0; j < N; j++) {
            write_number(s, j);
            sprintf(path, "tasks.0.centers.0.%d", j);
            ASSERT_EQ_FMTm(s, strtod(s, NULL), json_number(path), "%.17g");
        }
    }
    PASS();
}

/* Records cross the window, which grows where one is longer. */
TEST files_longer_than_the_window_are_read(void)
{
    FILE *f = fopen(cli_path("long.csv"), "wb");
    ASSERT(f != NULL);
    fprintf(f, "x,\"y\",class\n");
    for (int i = 0; i < 30000; i++)
        fprintf(f, "%d.5,\"%d\",\"a\nb%d\"\n", i, 2 * i, i % 3);
    fclose(f);
    RUNS(0, "cluster kmeans --k 1 --restarts 1 long.csv --json long.json");
    static char json[CLI_TEXT];
    cli_read(cli_path("long.json"), json);
    ASSERT(strstr(json, "\"n\": 30000") != NULL);
    f = fopen(cli_path("long.csv"), "ab");
    fprintf(f, "1,2\n");
    fclose(f);
    RUNS(1, "cluster kmeans --k 1 long.csv");
    ERR_HAS("long.csv:60002: 2 fields, but 3 before");
    PASS();
}

TEST score_wants_labels_only(void)
{
    cli_write("t.csv", "name,x,class\nAnn,,a\nBob,7,a\nEve,8,b\nJim,9,b\n");
    RUNS(0, "score good.txt t.csv --json -");
    JSON_NEAR("acc", 1);
    RUNS(1, "score good.txt t.csv --labels calss");
    ERR_HAS("no column is named calss (--labels); did you mean class?");
    RUNS(1, "score good.txt b.csv");
    ERR_HAS("b.csv: no labels; --labels names their column");
    PASS();
}

SUITE(cli_csv_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(cli_setup, NULL);
    for (size_t i = 0; i < sizeof sheets / sizeof sheets[0]; i++)
        RUN_TEST1(what_others_write_is_read, &sheets[i]);
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        RUN_TEST1(what_cannot_be_read_is_refused_with_the_way_out,
                  &refusals[i]);
    RUN_TEST(utf16_is_refused_by_name);
    RUN_TEST(wide_headers_are_judged_by_the_line_below);
    RUN_TEST(columns_are_matched_by_name);
    RUN_TEST(without_headers_widths_agree);
    RUN_TEST(labels_may_be_absent_in_other_files);
    RUN_TEST(words_of_all_files_are_features);
    RUN_TEST(words_new_to_a_model_are_told);
    RUN_TEST(words_that_differ_in_form_are_told);
    RUN_TEST(labels_that_may_be_one_are_told);
    RUN_TEST(a_row_of_totals_is_left_out);
    RUN_TEST(rounded_times_are_told);
    RUN_TEST(an_index_counts_in_all_files);
    RUN_TEST(standard_input_is_a_table);
    RUN_TEST(clusters_are_written_with_the_samples_names);
    RUN_TEST(labels_that_only_score_may_be_missing);
    RUN_TEST(rows_without_any_value_are_left_out);
    RUN_TEST(words_of_files_with_and_without_a_header_do_not_mix);
    RUN_TEST(index_is_seen_beside_a_missing_label);
    RUN_TEST(rows_left_out_keep_their_lines);
    RUN_TEST(describe_counts_different_values);
    RUN_TEST(members_that_lines_lack_are_missing);
    RUN_TEST(what_is_quoted_among_words_is_a_word);
    RUN_TEST(classes_are_written_by_their_own_words);
    RUN_TEST(features_of_sparse_text_get_names);
    RUN_TEST(numbers_are_the_nearest_doubles);
    RUN_TEST(files_longer_than_the_window_are_read);
    RUN_TEST(score_wants_labels_only);
}
