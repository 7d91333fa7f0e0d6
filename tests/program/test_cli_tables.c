/* SPDX-License-Identifier: MIT
 *
 * test_cli_tables.c - tables as analysts have them: amounts, percents, dates,
 * identifiers, rows of sums, files whose columns differ.  With one cluster the
 * centers are the means of the columns: they tell which numbers were read.
 */
#include "cli.h"

typedef struct sheet {
    const char *text, *args;
    int n;
    const char *means;              /* of the features, in their order */
    const char *code;               /* of a notice; "": there is none */
    const char *columns;            /* that it speaks of */
} sheet;

static const sheet sheets[] = {
    /* amounts */
    {"x;y\n1;$1,301.58\n2;$2,000\n", "", 2, "1.5 1650.79", "thousands", "y"},
    {"x;y\n1;1 301,58 EUR\n2;934 EUR\n", "", 2, "1.5 1117.79", "sign", "y"},
    {"x;y\n1;1 301,58 EUR\n2;934 EUR\n", "", 2, "1.5 1117.79",
     "decimal-comma", ""},
    {"x;y\n1;\xe2\x82\xac 5\n2;7 EUR\n", "", 2, "1.5 6", "sign", "y"},
    {"x,y\n1,7.2%\n3,8 %\n", "", 2, "2 7.6", "sign", "y"},
    {"x,y\n1,(12.5)\n3,13.5-\n", "", 2, "2 -13", "", ""},
    {"x;y\n1;52,-\n3;-28,-\n8;20-\n4;12,-\n", "", 4, "4 4", "decimal-comma",
     ""},
    {"x;y\n1;CHF 1'249.-\n3;1'199.- CHF\n", "", 2, "2 1224", "sign", "y"},
    {"x,y\n1,-$5\n3,$-6\n5,($7)\n8,$(2)\n", "", 4, "4.25 -5", "sign", "y"},
    {"x,y\n1,5 kg\n3,6 kg\n", "", 2, "2 5.5", "sign", "y"},
    {"x,y\n1,5k\n3,6k\n4,5k\n7,6k\n", "", 4, "3.75 5.5", "sign", "y"},
    {"x,y\n1,5.5q\n4,7.5q\n", "", 2, "2.5 6.5", "sign", "y"},
    {"x,y\n1,10a\n3,10b\n5,10a\n", "--onehot y", 3,
     "3 0.66666667 0.33333333", "", ""},
    {"x,y\n1,R$ 5\n3,R$6\n", "", 2, "2 5.5", "sign", "y"},
    {"x;y\n1;1.188 km\n3;2.188 km\n", "", 2, "2 1.688", "thousands", "y"},
    {"x;y\n1;1.301,5\x80\n3;2.301,5 \xe2\x82\xac\n", "", 2, "2 1801.5", "sign",
     "y"},
    {"x;y\n1;\xa3" "5.25\n3;\xc2\xa3" "6.25\n", "", 2, "2 5.75", "sign", "y"},
    {"x;y\n1;1\xa0" "301,5\n3;2\xa0" "301,5\n", "", 2, "2 1801.5",
     "thousands", "y"},
    {"x,y\n1,\xe2\x80\x93" "5\n3,6\n", "", 2, "2 0.5", "", ""},
    {"x;y\n1;1'301\n3;2'300\n", "", 2, "2 1800.5", "thousands", "y"},
    {"x;y\n1;1.234.567\n3;5\n", "", 2, "2 617286", "thousands", "y"},
    {"x;y\n1;\xe2\x88\x92" "5\n3;7\n", "", 2, "2 1", "", ""},
    {"$5,$6\n$7,$8\n", "", 2, "6 7", "sign", "1 2"},
    /* the decimal sign */
    {"x;y\n1;1,188\n3;934\n", "--decimal .", 2, "2 1061", "", ""},
    {"x;y\n1;1,188\n3;934\n", "--decimal ,", 2, "2 467.594", "", ""},
    {"x;y\n1;1.188\n3;934\n", "--decimal ,", 2, "2 1061", "", ""},
    {"x;y\n1;1.188\n3;934\n", "--decimal .", 2, "2 467.594", "", ""},
    {"x;y\n1.5;1,188\n3;934\n", "", 2, "2.25 1061", "thousands", "y"},
    {"x;y\n1,5;1.188\n3;934\n", "", 2, "2.25 1061", "decimal-comma", ""},
    {"y;x\n1.188;1,5\n934;3\n", "", 2, "1061 2.25", "decimal-comma", ""},
    {"x\n7.288\n12.449\n", "", 2, "9.8685", "", ""},
    {"x;y\n1;2.828\n3;3.141\n", "", 2, "2 2.9845", "thousands", "y"},
    {"x;y\n1;2.828\n3;3.141\n", "--decimal .", 2, "2 2.9845", "", ""},
    {"x;y\n1.5;2.828\n3;3.141\n", "", 2, "2.25 2.9845", "", ""},
    {"x;y\n1;1,188\n3;2,300\n", "", 2, "2 1744", "thousands", "y"},
    {"x;y\n1;0,188\n3;934\n", "", 2, "2 467.094", "decimal-comma", ""},
    {"x;y\n1;1234,567\n3;934\n", "", 2, "2 1084.2835", "decimal-comma", ""},
    {"1,5;2,5\n2,5;3,5\n", "", 2, "2 3", "decimal-comma", ""},
    /* missing values among numbers */
    {"x,y\n1,-\n3,4\n5,none\n7,#DIV/0!\n9,#N/A\n11,--\n", "--missing mean", 6,
     "6 4", "missing", "y"},
    {"x,y\n1,-\n3,4\n5,none\n", "--missing drop", 1, "3 4", "missing", ""},
    {"x,y\n1,none\n3,some\n5,none\n", "--onehot y", 3,
     "3 0.66666667 0.33333333", "", ""},
    {"x,y\n1,1\n3,2.0\n5,1.0\n", "--onehot y", 3, "3 0.66666667 0.33333333",
     "", ""},
    {"x;y\n1,5;1\n3;2,0\n4,5;1,0\n", "--onehot y", 3,
     "3 0.66666667 0.33333333", "decimal-comma", ""},
    {"x,y\n1,\"a \"\n3,\"A\"\n5,b\n", "--onehot y", 3,
     "3 0.33333333 0.33333333 0.33333333", "onehot", "y"},
    /* identifiers */
    {"customer_id,x\n17,1\n12,4\n15,7\n", "", 3, "4", "id", "customer_id"},
    {"customerId,x\n17,1\n12,4\n15,7\n", "", 3, "4", "id", "customerId"},
    {"Order No,x\n17,1\n12,4\n15,7\n", "", 3, "4", "id", "Order No"},
    {"patient.no,x\n17,1\n12,4\n15,7\n", "", 3, "4", "id", "patient.no"},
    {"userid,x\n17,1\n12,4\n15,7\n", "", 3, "4", "id", "userid"},
    {"No.,x\n17,1\n12,4\n15,7\n", "", 3, "4", "id", "No."},
    {"Order Nr. ,x\n17,1\n12,4\n15,7\n", "", 3, "4", "id", "Order Nr."},
    {"id_cliente,x\n17,1\n12,4\n15,7\n", "", 3, "4", "id", "id_cliente"},
    {"Losnummer,x\n17,1\n12,4\n15,7\n", "", 3, "4", "id", "Losnummer"},
    {"Artikelnr.,x\n17,1\n12,4\n15,7\n", "", 3, "4", "id", "Artikelnr."},
    {"customerid,x\n17,1\n12,4\n15,7\n", "", 3, "4", "id", "customerid"},
    {"time_s,x\n0.00,1\n0.25,4\n0.50,7\n0.75,2\n1.00,3\n1.25,1\n", "", 6,
     "0.625 3", "ascending", "time_s"},
    {"SNR,x\n17,1\n12,4\n15,7\n", "", 3, "14.666667 4", "", ""},
    {"idle_time,x\n17,1\n12,4\n15,7\n", "", 3, "14.666667 4", "", ""},
    {"Account Number,x\n17,1\n12,4\n15,7\n", "", 3, "4", "id",
     "Account Number"},
    {"x,Unnamed: 0\n1,17\n4,12\n7,15\n", "", 3, "4", "id", "Unnamed: 0"},
    {"number,x\n17,1\n12,4\n15,7\n", "", 3, "14.666667 4", "", ""},
    {"UUID,x\n17,1\n12,4\n15,7\n", "--use UUID,x", 3, "14.666667 4", "", ""},
    {"paid,x\n17,1\n12,4\n15,7\n", "", 3, "14.666667 4", "", ""},
    {"grid,x\n17,1\n12,4\n15,7\n", "", 3, "14.666667 4", "", ""},
    {"id,x\n17,1\n17,4\n14,7\n", "", 3, "16 4", "id-repeats", "id"},
    {"id,x\n1.5,1\n3,4\n6,7\n", "", 3, "3.5 4", "", ""},
    {"id\n17\n12\n16\n", "", 3, "15", "", ""},
    {"year,x\n2001,1\n2003,4\n2004,7\n2007,1\n2010,2\n", "", 5, "2005 3",
     "ascending", "year"},
    {"17,1\n12,4\n16,7\n", "", 3, "15 4", "", ""},
    {"zip,x\n01217,1\n99423,4\n", "", 2, "50320 2.5", "code", "zip"},
    {"id,x\n12345678901234567891,1\n12345678901234567890,4\n", "", 2, "2.5", "id",
     "id"},
    {"id,x\n7,1\n7,4\n", "", 2, "2.5", "constant", "id"},
    {"zip,x\n0.17,1\n0,4\n", "", 2, "0.085 2.5", "", ""},
    {"x,y,x\n1,2,3\n2,4,5\n", "", 2, "1.5 3 4", "same-name", "x.2"},
    {"x,y,x\n1,2,3\n2,4,5\n", "--drop x.2", 2, "1.5 3", "", ""},
    /* constants */
    {"x,y,z\n1,5,2\n3,5,9\n", "", 2, "2 5.5", "constant", "y"},
    {"x,y,z\n1,5,2\n3,5,9\n", "--use x,y,z", 2, "2 5 5.5", "", ""},
    {"x,y\n4,5\n4,5\n", "", 2, "5", "constant", "x"},
    /* dates */
    {"x,when\n1,2024-05-31\n3,2024-06-02\n", "", 2, "2", "dates", "when"},
    {"x,when\n1,31.5.2024\n3,2.6.2024\n", "", 2, "2", "dates", "when"},
    {"x,when\n1,5/6/2024\n3,7/8/2024\n", "", 2, "2", "dates", "when"},
    {"x,when\n1,2024-05-31T12:00:00Z\n3,2024-06-02 18:30\n", "", 2, "2",
     "dates", "when"},
    {"x,when\n1,12:30\n3,18:45:10\n", "", 2, "2", "dates", "when"},
    {"x,when\n1,2024-02-28\n3,2024-03-01\n5,2024-03-04\n", "--dates days", 3,
     "3 2.3333333", "days", "when"},
    {"x,when\n1,28/2/2023\n3,1/3/2023\n", "--dates days", 2, "2 0.5", "days",
     "when"},
    {"x,when\n1,12/30/2023\n3,1/3/2024\n", "--dates days", 2, "2 2", "days",
     "when"},
    {"x,when\n1,2024-05-31 12:00\n3,2024-06-01 00:00\n", "--dates days", 2,
     "2 0.75", "days", "when"},
    {"x,when\n1,24:00\n3,12:00\n", "--dates days", 2, "2 0.75", "days",
     "when"},
    {"x,when\n1,20240531\n3,20240602\n", "", 2, "2 20240566", "", ""},
    /* the column of labels, by its number */
    {"1,14.2,1.7\n1,13.2,1.8\n2,12.4,2.1\n", "--labels 1", 3,
     "13.266667 1.8666667", "", ""},
    {"0,1,3.5\n1,4,2.5\n0,5,3\n", "--labels 1", 3, "3.3333333 3", "", ""},
    {"0,1,2\n5,1.5,2\n7,2,4\n", "--labels first", 2, "1.75 3", "header", ""},
    {"1,2,3\n5,1.5,2\n6,2,2\n", "--labels 3", 2, "5.5 1.75", "", ""},
    {"3,1,2\n5,1.5,2\n7,2,5\n", "--labels last --header yes", 2, "6 1.75", "",
     ""},
    {",0,1\n0,5,1\n1,9,2\n2,7,2\n", "--labels 1", 3, "7", "index",
     "the first"},
    {",0,1\n0,5,1\n1,9,2\n2,7,3\n", "--use 1", 3, "2", "", ""},
    {"target,1.5,2.5\nother,1,2\ntarget,3,4\n", "--labels first", 2, "2 3",
     "", ""},
    /* decimal commas beside one word or none */
    {"5,1;3,5;Rome\n4,9;3;Ulm\n", "--labels none --drop 3", 2, "5 3.25",
     "decimal-comma", ""},
    {"Rome;5,1;3,5\nUlm;4,9;3\n", "--drop 1", 2, "5 3.25", "decimal-comma",
     ""},
    {"1,2,a;b\n3,4,c\n", "--drop 3", 2, "2 3", "", ""},
    {"kg;net, EUR\n7;1,5\n2;2,5\n", "", 2, "4.5 2", "decimal-comma", ""},
    /* rows of sums */
    {"x,y\n1,2\n2,5\n4,9\n7,16\n", "", 4, "3.5 8", "", ""},
    {"town,x\nOslo,2\nRom,5\nKiel,9\nDurchschnitt,5.33\n", "--id town", 3,
     "5.3333333", "total", ""},
    {"x,y\n1.25,2\n2.25,5\n4,9\n7.5,16\n", "", 4, "3.75 8", "", ""},
    {"x,y\n1.25,2\n2.25,5\n4,9\n7.4,16\n", "", 4, "3.725 8", "", ""},
    {"x,y\n0,0\n0,1\n10,0\n10,1\n", "", 4, "5 0.5", "", ""},
    {"when,x\n2024-01-01,3\n2024-01-02,1\n2024-01-03,3\n2024-01-04,7\n",
     "--drop when", 4, "3.5", "", ""},
    {"when,x\n2024-01-01,3\n2024-01-02,1\n2024-01-03,3\n,7\n", "--drop when",
     4, "3.5", "", ""},
    {"age,x,y\n30,1,2\n20,2,5\n40,4,9\n,7,16\n", "--missing mean", 4,
     "30 3.5 8", "missing", "age"},
    {"age,x,y\n30,1,2\n20,2,5\n40,4,9\n,7,17\n", "--missing mean", 4,
     "30 3.5 8.25", "missing", "age"},
    {"shop,x,y\nA,1,2\nB,2,7\nTotal,3,9\n", "--drop shop", 2, "1.5 4.5",
     "total", ""},
    {"x,y\n1,2\n2,7\nSUMME,9\n", "", 2, "1.5 4.5", "total", ""},
    {"x,y\n1,2\n2,7\nGrand Total:,9\n", "", 2, "1.5 4.5", "total", ""},
    {"shop,x,y\nA,1,2\nB,2,7\nTotal,3,9\n,,\n\n, ,\n,,", "--drop shop", 2,
     "1.5 4.5", "total", ""},
    {"x,y\n1,2\n4,5\n,\n7,5\n,\n", "--missing drop", 3, "4 4", "missing", ""},
    {"shop,x,y\nmean,1,2\nB,2,7\nmean,3,9\n", "--drop shop", 3, "2 6", "",
     ""},
    {"x,y,class\n1,2,a\n5,7,b\nTotal,9,\n", "", 2, "3 4.5", "total", ""},
    {"x,when\n1,24:01\n3,23:59\n4,24:00\n", "", 3, "2.6666667", "dates",
     "when"},
    {"x,when\n1,2024-05-31 24:00:01\n3,2024-06-02\n4,2024-06-03\n", "", 3,
     "2.6666667", "dates", "when"},
    {"x,y\n1,5kg\n3,6kg\n", "", 2, "2 5.5", "sign", "y"},
    {"x,y\n1,a 5\n3,b 6\n", "", 2, "2", "words", "y"},
    {"x,when\n1,31.5.24\n3,1.6.24\n7,2.6.24\n", "", 3, "3.6666667", "dates",
     "when"},
    {"2019,2020\n1,2\n3,4\n", "", 2, "2 3", "header", ""},
    {"x,y\n1,2,\n3,4,\n", "", 2, "2 3", "", ""},
    {"who,x\nAnn,1,\nBob,3,\n", "", 2, "2", "words", "who"},
    {"\"who\";\"x\"\n\"Ann\";\"1\";\n\"Bob\";\"3\";\n", "", 2, "2", "words",
     "who"},
    {"\"x\";\"y\"\n\"1\";\"7\";\n\"3\";\"9\";\n", "--drop y", 2, "2", "", ""},
    {"x,y\n1,4a\n3,4b\n4,4a\n7,4b\n", "", 4, "3.75", "words", "y"},
    {"x,y\n1,1.5.24\n3,2.5.24\n4,1.5.24\n7,2.5.24\n", "", 4, "3.75", "dates",
     "y"}
};

/* Is there a notice of that code?  With the columns, a space between them. */
static int has_notice(const char *code, const char *columns)
{
    char path[60], wanted[60];
    sprintf(wanted, "\"%s\"", code);
    for (int i = 0; i < 20; i++) {
        static char names[400];
        sprintf(path, "notices.%d.code", i);
        if (json_at(cli_last()->out, path) == NULL)
            return 0;
        if (!json_is(path, wanted))
            continue;
        names[0] = '\0';
        for (int c = 0; c < 20; c++) {
            sprintf(path, "notices.%d.columns.%d", i, c);
            const char *s = json_at(cli_last()->out, path);
            if (s == NULL)
                break;
            size_t n = strcspn(s + 1, "\"");
            sprintf(names + strlen(names), "%s%.*s", c == 0 ? "" : " ", (int)n,
                    s + 1);
        }
        if (strcmp(names, columns) == 0)
            return 1;
    }
    return 0;
}

/* Is there any that speaks of how the table was read? */
static int has_any(void)
{
    static const char *const code[] = {
        "thousands", "sign", "decimal-comma", "missing", "id", "id-repeats",
        "ascending", "constant", "dates", "days", "total", "index", "code",
        "same-name"};
    for (size_t i = 0; i < sizeof code / sizeof code[0]; i++) {
        char wanted[60];
        sprintf(wanted, "\"code\": \"%s\"", code[i]);
        if (strstr(cli_last()->out, wanted) != NULL)
            return 1;
    }
    return 0;
}

TEST a_table_is_read_as_people_mean_it(const void *one)
{
    const sheet *s = one;
    char args[300];
    cli_write("s.csv", s->text);
    sprintf(args, "cluster kmeans --k 1 %s --quiet --json - s.csv", s->args);
    ASSERT_EQ_FMTm(s->text, 0, cli(args), "%d");
    ASSERTm(s->text, json_valid(cli_last()->out));
    ASSERT_EQ_FMTm(s->text, (double)s->n, json_number("tasks.0.n"), "%g");
    ASSERTm(s->text, same_numbers(s->means, means_read()));
    ASSERT_STR_EQm(s->text, "", cli_last()->err);
    if (*s->code == '\0')
        ASSERTm(s->text, !has_any());
    else
        ASSERTm(s->text, has_notice(s->code, s->columns));
    PASS();
}

typedef struct refusal {
    const char *text, *args, *message;
} refusal;

static const refusal refusals[] = {
    /* two readings */
    {"x;y\n1;1.188\n3;934\n", "", "s.csv:2: column 2 (y), '1.188', may have "
     "decimals or thousands, and no other value of the file tells\n"
     "  --decimal . or --decimal , says which sign it is\n"},
    {"x;y\n1;1,188\n3;934\n", "", "'1,188', may have decimals or thousands"},
    {"x;y\n1.5;2\n2;3,5\n", "", "s.csv:3: column 2 (y), '3,5', is not a numbe"
     "r with the decimal sign .\n  --decimal . or --decimal , says which sign"
     " it is"},
    {"x,when\n1,5/6/2024\n3,7/8/2024\n", "--dates days", "may have day or "
     "month first"},
    {"x,when\n1,13/6/2024\n3,7/18/2024\n", "--dates days", "does not agree "
     "with other dates whether day or month comes first"},
    /* mixed signs */
    {"x,y\n1,7%\n3,.07\n", "", "s.csv:2: column 2 (y), '7%', has the sign %, "
     "but other values of the column have none"},
    {"x,y\n1,$5\n3,5 EUR\n", "", "s.csv:3: column 2 (y), '5 EUR', has another "
     "sign than '$5' in line 2"},
    {"x,y\n1,5 k\n3,5 M\n", "", "'5 M', has another sign than '5 k'"},
    {"x,y\n1,5 kg\n3,6\n", "", "has the sign kg"},
    /* dates among numbers, and asked for */
    {"x,y\n1,2020-01-31\n3,7\n", "", "'2020-01-31', is a date, but the column "
     "has numbers"},
    {"x,when\n1,2024-05-31\n3,2024-06-02\n", "--use x,when",
     "s.csv:2: column 2 (when), '2024-05-31', is a date\n  try: mtc cluster k"
     "means --k 1 --use x,when s.csv --dates days"},
    {"when\n2024-05-31\n2024-06-02\n", "", "s.csv: no features: no column is "
     "left\n  column 1 (when): dates or times\n  try: mtc cluster kmeans --k "
     "1 s.csv --dates days"},
    {"x;y;z\n1,5;2.5;3,5\n2,5;3.5;9\n", "", "s.csv:2: column 1 (x), '1,5', is"
     " not a number with the decimal sign .\n  s.csv:2: column 3 (z), '3,5', "
     "is not a number with the decimal sign .\n  --decimal . or --decimal , s"
     "ays which sign it is"},
    /* lines that are no samples */
    {"Sales of 2024\n\nx,y,z\n1,2,2\n3,4,7\n", "", "s.csv:3: 3 fields, but 1 b"
     "efore; if one of the lines is a title or a remark, delete it, or begin i"
     "t with #\n"},
    /* lines are counted with what is skipped, and within quotes */
    {"# made by hand\n\nx,y\n1,2\n\n# a note\n\"3\n\",4\n7,5\n8,ab c\n9,d\n", "",
     "s.csv:10: column 2 (y), 'ab c', is not a number"},
    {"Sales of 2024,,\n,,\nx,y,z\n1,2,4\n3,4,5\n", "", "s.csv:3: column 1 (Sa"
     "les of 2024), 'x', is not a number (1 of 4 are none)\n  s.csv:3: column"
     " 2, 'y', is not a number (1 of 4 are none)\n  s.csv:3: column 3, 'z', i"
     "s not a number (1 of 4 are none)\n  try: mtc cluster kmeans --k 1 s.csv"
     " --missing-word x,y,z --missing mean"},
    {"x,y,z\nkg,m,\n1,2,4\n3,4,5\n", "", "s.csv:2: column 1 (x), 'kg', is not"
     " a number (1 of 3 are none)\n  s.csv:2: column 2 (y), 'm', is not a num"
     "ber (1 of 3 are none)\n  s.csv:2: column 3 (z) is empty (1 of 3, 33 %)"
     "\n  try: mtc cluster kmeans --k 1 s.csv --missing-word kg,m --missing me"
     "an"},
    {"x,y\n1,2\nx,y\n3,4\n", "", "s.csv:1: the words of this line are also va"
     "lues of their columns: it may be a header or a sample: say --header yes"
     " or --header no"},
    {"Sales,,\nwho,x,y\nAnn,1,$2\nBob,3,$4\nEve,5,$8\n", "",
     "s.csv:2: column 2, 'x', is not a number (1 of 4 are none)\n  s.csv:2: c"
     "olumn 3, 'y', is not a number (1 of 4 are none)\n  try: mtc cluster kme"
     "ans --k 1 s.csv --missing-word x,y --missing mean"},
    {"who,Q1,,Q2\n,x,y,x\nAnn,1,2,4\nBob,3,4,6\nEve,5,8,1\n", "",
     "s.csv:2: column 2 (Q1), 'x', is not a number (1 of 4 are none)\n  s.csv"
     ":2: column 3, 'y', is not a number (1 of 4 are none)\n  s.csv:2: column"
     " 4 (Q2), 'x', is not a number (1 of 4 are none)\n  try: mtc cluster kme"
     "ans --k 1 s.csv --missing-word x,y --missing mean"},
    {"x,y\n1,2\n3,4\nSource: me\n", "", "s.csv:4: 1 field, but 2 before; if on"
     "e of the lines is a title or a remark, delete it, or begin it with #\n"},
    {"x y\n1 2.5\n3 4.5\n", "", "\n  the table has one column: separate "},
    {"Report\nx;y\n1;2\n3;4\n", "", "\n  the table has one column: separate "},
    /* what a column mostly has */
    {"x,y\n1,2\n2,4\n3,<5\n4,6\n5,<5\n6,7\n7,<5\n8,4\n9,4\n10,4\n", "",
     "s.csv:4: column 2 (y), '<5', is not a number (3 of 10 are none)\n  try:"
     " mtc cluster kmeans --k 1 s.csv --missing-word '<5' --missing mean"},
    {"x,y\n1,2\n3,4,5\n", "", "s.csv:3: 3 fields, but 2 before; a value that "
     "has a separator in it needs quotes\n"},
    {"x,y\n1,2\n,\n3,4\n", "", "s.csv:3: column 1 (x) is empty (1 of 3, 33 %)"
     "\n  s.csv:3: column 2 (y) is empty (1 of 3, 33 %)\n  try: mtc cluster k"
     "means --k 1 s.csv --missing mean"},
    {"x,y,z\n1,2,5\na,3,6\n4,q,7\n", "--drop=x", "s.csv:4: column 2 (y), 'q',"
     " is not a number (1 of 3 are none)\n  try: mtc cluster kmeans --k 1 --d"
     "rop=x s.csv --missing-word q --missing mean"},
    {"x,y\n1,2\n,\n3,\n", "", "s.csv:3: column 1 (x) is empty (1 of 3, 33 %)"
     "\n  s.csv:3: column 2 (y) is empty (2 of 3, 67 %)\n  try: mtc cluster k"
     "means --k 1 s.csv --drop y --missing mean"},
    {"x,y\n1,5.1\n3,6k\n4,5\n7,6\n", "", "s.csv:3: column 2 (y), '6k', has th"
     "e sign k, but other values of the column have none\n  try: mtc cluster "
     "kmeans --k 1 s.csv --drop y"},
    {"x,y\n1,1.5k\n3,2.5M\n4,1.5k\n7,2.5M\n", "", "s.csv:3: column 2 (y), '2."
     "5M', has another sign than '1.5k' in line 2\n  try: mtc cluster kmeans "
     "--k 1 s.csv --drop y"},
    {"x,y\n1\n3,4\n", "", "s.csv:2: 1 field, but 2 before; if one of the lines"
     " is a title or"},
    {"x,y,z\n1,2\n3,4,5\n", "", "s.csv:2: 2 fields, but 3 before; an empty value "
     "needs its separator"},
    {"PK\003\004 and so on", "", "s.csv: this is a workbook or another "
     "archive; save the sheet as CSV\n"},
    /* --strict */
    {"customer_id,x\n17,1\n12,4\n15,7\n", "--strict", "s.csv: column customer"
     "_id only numbers the samples and is left out; --use +customer_id keeps "
     "it\n  (--strict refuses guesses)"},
    {"customer_id,x,land\n17,1,de\n12,4,fr\n15,7,de\n",
     "--strict --onehot land", "s.csv: column customer_id only numbers the sa"
     "mples and is left out; --use +customer_id keeps it\n  (--strict refuses"
     " guesses)"},
    {"customer_id,x,y,z\n17,1,5,2\n12,4,5,9\n15,7,5,1\n", "--strict",
     "s.csv: column y never varies and is left out; --use +y keeps it\n  s.cs"
     "v: column customer_id only numbers the samples and is left out; --use +"
     "customer_id keeps it\n  (--strict refuses guesses)"},
    {"x,y,z\n1,5,2\n3,5,9\n", "--strict", "column y never varies"},
    {"x,when\n1,2024-05-31\n3,2024-06-02\n", "--strict", "column when has "
     "dates or times and is left out; --dates days makes days of them"},
    {"x;y\n1;1,188\n3;2,300\n", "--strict", "column y: commas part thousands; "
     "--decimal , makes them decimal signs"},
    {"n,x\n1,5\n2,8\n3,6\n", "--strict", "s.csv: column n counts the samples "
     "and is left out; --use +n keeps it\n  (--strict refuses guesses)"}
};

TEST a_table_is_refused_with_the_way_out(const void *one)
{
    const refusal *r = one;
    char args[300];
    cli_write("s.csv", r->text);
    sprintf(args, "cluster kmeans --k 1 %s s.csv", r->args);
    ASSERT_EQ_FMTm(r->text, 1, cli(args), "%d");
    ASSERTm(cli_last()->err, strstr(cli_last()->err, r->message) != NULL);
    ASSERT_STR_EQ("", cli_last()->out);
    PASS();
}

/* The command that a message proposes works. */
TEST what_is_proposed_can_be_pasted(void)
{
    static const char *const text[] = {
        ("who,x,y,city,rate\nAnn,1,,Rome,7%\nBob,2,3,Rome,.07\n"
         "Eve,3,4,Oslo,8%\nJim,4,5,Oslo,9%\n"),
        "a name;it's;y\n1;7%;5\n3;9;7\n",
        "x,y,y\n1,7%,5\n3,9,7\n",
        "x,y\n1,2\n3,n'n\n5,8\n"};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        char line[CLI_PATH];
        cli_write("s.csv", text[i]);
        RUNS(1, "cluster kmeans --k 1 s.csv");
        const char *command = strstr(cli_last()->err, "  try: mtc ");
        ASSERTm(text[i], command != NULL);
        sprintf(line, "%.*s", (int)strcspn(command + 11, "\n"), command + 11);
        ASSERT_EQ_FMTm(line, 0, cli(line), "%d");
    }
    cli_write("s.csv", "x;y\n1;1.188\n3;934\n");     /* the user has to say it */
    RUNS(1, "cluster kmeans --k 1 s.csv");
    ASSERT(strstr(cli_last()->err, "try:") == NULL);
    PASS();
}

/* Rules hold over all files of a run. */
TEST files_are_looked_at_together(void)
{
    cli_write("p.csv", "id,x,y,z\n17,1,5,2\n12,3,5,9\n");
    cli_write("q.csv", "id,x,y,z\n17,1,6,2\n12,3,6,9\n");
    RUNS(0, "cluster kmeans --k 1 p.csv q.csv --json -");
    JSON_NEAR("tasks.0.d", 3);                  /* y varies between files */
    ASSERT(has_notice("id", "id"));
    ERR_HAS("note: p.csv (and 1 more): column id only numbers the samples");
    cli_write("q.csv", "id,x,y,z\n17,1,6,2\n17,3,6,9\n");
    RUNS(0, "cluster kmeans --k 1 p.csv q.csv --json -");
    JSON_NEAR("tasks.0.d", 4);
    ASSERT(has_notice("id-repeats", "id"));
    cli_write("q.csv", "id,x,y,z\n17,1,6,$2\n17,3,6,$9\n");
    RUNS(0, "cluster kmeans --k 1 p.csv q.csv");
    cli_write("q.csv", "id,x,y,z\n17,1,6,2%\n17,3,6,9%\n");
    RUNS(1, "cluster kmeans --k 1 p.csv q.csv");
    ERR_HAS("p.csv: column z has no sign, in q.csv it has %");
    cli_write("p.csv", "id,x,y\n1,4,2\n2,3,9\n3,5,5\n");
    cli_write("q.csv", "x,id,y\n1,7,2\n2,3,9\n3,5,5\n");
    RUNS(0, "cluster kmeans --k 1 p.csv q.csv --json -");
    JSON_NEAR("tasks.0.d", 2);
    ASSERT(has_notice("id", "id"));
    ASSERT(strstr(cli_last()->err, "it is a feature") == NULL);
    cli_write("p.csv", "x,d\n1,2024-01-10\n2,2024-01-11\n");
    cli_write("q.csv", "x,d\n1,2024-01-01\n2,2024-01-02\n");
    RUNS(0, "cluster kmeans --k 1 p.csv q.csv --dates days --json -");
    JSON_NEAR("tasks.0.centers.0.1", 9.5);
    JSON_NEAR("tasks.1.centers.0.1", .5);
    PASS();
}

/* A time of day is a part of one, for a model, too; beside dates it is
 * nothing. */
TEST times_are_parts_of_a_day(void)
{
    cli_write("p.csv", "x,t\n1,06:00\n3,12:00\n2,18:00\n");
    cli_write("d.csv", "x,t\n1,2024-05-31\n3,2024-06-02\n");
    RUNS(0, "cluster kmeans --k 1 p.csv --dates days --save m.json --json -");
    JSON_NEAR("tasks.0.centers.0.1", .5);
    ASSERT(has_notice("days", "t"));
    ERR_HAS("p.csv: column t counts the days since the first date; times are "
            "parts of a day\n");
    cli_write("new.csv", "x,t\n2,18:00\n2,24:00\n");
    RUNS(0, "assign m.json new.csv --json -");
    JSON_NEAR("tasks.0.distance.0", .25);
    JSON_NEAR("tasks.0.distance.1", .5);
    RUNS(1, "assign m.json d.csv");
    ERR_HAS("d.csv:1: column t has dates, but m.json has times");
    RUNS(0, "cluster kmeans --k 1 d.csv --dates days --save m.json");
    RUNS(1, "assign m.json p.csv");
    ERR_HAS("p.csv:1: column t has times, but m.json has dates");
    RUNS(0, "describe p.csv --json -");
    JSON_NEAR("tasks.0.columns.1.range.0", .25);
    JSON_NEAR("tasks.0.columns.1.range.1", .75);
    PASS();
}

/* And over each file of a method whose tasks have their own features. */
TEST files_with_features_of_their_own_are_looked_at_alone(void)
{
    cli_write("p.csv", "customer_id,x,d,p\n"
                       "17,1,2024-01-10,$2\n12,3,2024-01-12,$9\n");
    cli_write("q.csv", "u,v,w\n1,6,2\n3,6,9\n");
    RUNS(0, "cluster ec --k 1 p.csv q.csv --dates days --json -");
    JSON_NEAR("tasks.0.d", 3);
    JSON_NEAR("tasks.1.d", 2);
    ASSERT(has_notice("id", "customer_id"));
    ASSERT(has_notice("constant", "v"));
    ASSERT(has_notice("sign", "p"));
    JSON_NEAR("tasks.0.centers.0.1", 1);        /* days since the first */
    RUNS(1, "cluster ec --k 1 p.csv q.csv --strict");
    RUNS(0, "cluster ec --k 1 p.csv --dates days --save m.json");
    RUNS(0, "assign m.json p.csv");
    PASS();
}

/* A file that does not tell its decimal sign is refused beside one with decimal
 * commas, whichever comes first, and whatever rows it has. */
TEST decimal_signs_of_a_run_agree(void)
{
    cli_write("jan.csv", "n;t\n1.188,50;3\n2.345,00;4\n");
    cli_write("feb.csv", "n;t\n1.188;3\n2.346;5\n");
    cli_write("mar.csv", "n;t\n1,188;3\n2,346;5\n");
    cli_write("apr.csv", "n;t\n1.5;3\n2.5;5\n");
    for (int first = 0; first < 2; first++) {
        RUNS(1, first ? "cluster kmeans --k 1 feb.csv jan.csv"
                      : "cluster kmeans --k 1 jan.csv feb.csv");
        ERR_HAS("mtc: feb.csv: numbers may have decimals or thousands; jan.csv "
                "has decimal commas: give --decimal ,\n");
    }
    RUNS(1, "cluster kmeans --k 1 jan.csv mar.csv");
    ERR_HAS("mtc: mar.csv: numbers may have decimals or thousands");
    RUNS(0, "cluster kmeans --k 1 --preprocess none feb.csv jan.csv mar.csv "
            "--strict --decimal , --json -");
    JSON_NEAR("tasks.0.centers.0.0", 1767);
    JSON_NEAR("tasks.1.centers.0.0", 1766.75);
    JSON_NEAR("tasks.2.centers.0.0", 1.767);
    RUNS(0, "cluster kmeans --k 1 apr.csv feb.csv --strict");
    RUNS(0, "cluster kmeans --k 1 apr.csv jan.csv --strict");
    RUNS(1, "cluster kmeans --k 1 apr.csv feb.csv jan.csv");
    ERR_HAS("mtc: feb.csv: numbers may have decimals or thousands; jan.csv ");
    RUNS(0, "describe feb.csv jan.csv --json -");
    JSON_NEAR("tasks.0.columns.0.range.1", 2.346);
    cli_write("feb.csv", "y;n\np;1.188\n;2.346\nq;3.117\n");
    cli_write("jan.csv", "y;n\np;1.188,50\nq;2.346,00\n");
    RUNS(1, "transfer svm --labels y --missing drop --source feb.csv --target "
            "jan.csv");
    ERR_HAS("mtc: feb.csv: numbers may have decimals or thousands; jan.csv ");
    cli_write("feb.csv", "n;t\n1.188;1.000\n2.346;2.000\n3.117;3.000\n"
              "6.651;6.000\n");
    cli_write("jan.csv", "n;t\n1.188,50;3\n2.345,00;4\n");
    RUNS(0, "cluster kmeans --k 1 feb.csv jan.csv --decimal , --json -");
    JSON_NEAR("tasks.0.n", 4);
    PASS();
}

/* A line of numbers is a header in all files, or in none. */
TEST headers_of_numbers_agree(void)
{
    cli_write("p.csv", "0,1,2\n0.5,8,7\n0.75,1,9\n");
    cli_write("q.csv", "0,1,2\n2,9,2\n9,7,8\n");
    RUNS(1, "cluster kmeans --k 1 p.csv q.csv");
    ERR_HAS("mtc: q.csv:1: numbers would be a sample here, but the header in "
            "p.csv: say --header yes or --header no\n");
    RUNS(1, "cluster kmeans --k 1 q.csv p.csv");
    RUNS(0, "cluster kmeans --k 1 p.csv q.csv --header yes --strict");
    RUNS(0, "cluster kmeans --k 1 q.csv");
    RUNS(0, "describe p.csv q.csv");
    cli_write("p.csv", "1,2,3\n0.5,8.5,7.5\n0.75,1.5,9.5\n");
    cli_write("q.csv", "1,2,3\n2,9,2\n9,7,8\n");
    RUNS(1, "cluster kmeans --k 1 p.csv q.csv");
    ERR_HAS("mtc: q.csv:1: numbers would be a sample here, but the header in ");
    RUNS(0, "cluster kmeans --k 1 q.csv --strict");
    /* The same names in another order. */
    cli_write("q.csv", "2,3,1\n8.5,7.5,0.5\n1.5,9.5,0.75\n");
    RUNS(1, "cluster kmeans --k 1 p.csv q.csv");
    ERR_HAS("mtc: q.csv:1: numbers would be a sample here, but the header in ");
    cli_write("l.csv", "1,2,3,label\n0.5,8.5,7.5,a\n0.75,1.5,9.5,b\n");
    RUNS(1, "transfer svm --source l.csv --target q.csv");
    ERR_HAS("mtc: q.csv:1: numbers would be a sample here, but the header in ");
    RUNS(0, "cluster kmeans --k 1 p.csv --save m.json --quiet");
    RUNS(0, "assign m.json p.csv q.csv --task p --json -");
    JSON_NEAR("tasks.1.n", 2);
    JSON_NEAR("tasks.1.distance.0", json_number("tasks.0.distance.0"));
    JSON_NEAR("tasks.1.distance.1", json_number("tasks.0.distance.1"));
    PASS();
}

/* What stands below a first line is looked at as far as the window goes, which
 * may end within quotes. */
TEST a_long_table_is_looked_at_in_part(void)
{
    static char text[400000];
    char *s = text + sprintf(text, "0,1,2\n");
    for (int i = 0; i < 3000; i++)
        s += sprintf(s, "%d.5,\"%d.25\",\"%0100d.5\"\n", i, i, i);
    sprintf(s, "1.5,2.5,\"3.5\"");
    cli_write("long.csv", text);
    RUNS(0, "cluster kmeans --k 1 long.csv --strict --json -");
    JSON_NEAR("tasks.0.n", 3001);
    PASS();
}

/* Words are the same whether a file has them in UTF-8 or in Latin-1; all that
 * is written is UTF-8. */
TEST words_in_two_encodings_are_the_same(void)
{
    static char text[CLI_TEXT];
    cli_write("u.csv", "id,x,city,class\nA\xc3\xb6,1,K\xc3\xb6ln,\xc3\xbc\n"
              "B,9,Bonn,o\n");
    cli_write("l.csv", "id,x,city,class\nA\xf6,1,K\xf6ln,\xfc\nB,9,Bonn,o\n");
    RUNS(0, "cluster kmeans --k 2 u.csv l.csv --onehot city --id id --out o "
            "--json -");
    JSON_NEAR("tasks.0.d", 3);                  /* x, Bonn, Koeln */
    ERR_HAS("mtc: note: l.csv: words are not UTF-8 and are read as Latin-1\n");
    ASSERT(strncmp("id,cluster\nA\xc3\xb6,", cli_read(cli_path("o/l.csv"), text),
                   15) == 0);
    RUNS(0, "transfer svm --source u.csv --target l.csv --drop id,city --json -");
    JSON_NEAR("tasks.0.acc", 1);
    RUNS(0, "describe l.csv");
    PASS();
}

/* A model of files with either sign has none to read others with, whichever
 * came first; files that show none do not count. */
TEST a_model_of_two_decimal_signs_asks(void)
{
    cli_write("p.csv", "x;y\n1.5;4\n2.5;6\n");
    cli_write("c.csv", "x;y\n1,5;4\n2,5;6\n");
    cli_write("w.csv", "x;y\n1;4\n3;6\n");
    cli_write("new.csv", "x;y\n1.002;5\n3.004;5\n");
    for (int first = 0; first < 2; first++) {
        RUNS(0, first ? "cluster kmeans c.csv p.csv --k 1 --save m.json"
                      : "cluster kmeans p.csv c.csv --k 1 --save m.json");
        RUNS(1, "assign m.json new.csv --task c");
        ERR_HAS("'1.002', may have decimals or thousands, and no other value "
                "of the file tells\n");
        RUNS(0, "assign m.json new.csv --task c --decimal , --json -");
        JSON_NEAR("tasks.0.distance.0", 1000);
        RUNS(0, "assign m.json c.csv --json -");
    }
    RUNS(0, "cluster kmeans w.csv c.csv --k 1 --save m.json");
    RUNS(0, "assign m.json new.csv --task c --json -");
    JSON_NEAR("tasks.0.distance.0", 1000);
    RUNS(0, "cluster kmeans p.csv w.csv --k 1 --save m.json");
    RUNS(0, "assign m.json new.csv --task p --json -");
    RUNS(0, "cluster kmeans w.csv --k 1 --save m.json");  /* whole numbers */
    RUNS(1, "assign m.json new.csv --task w");
    RUNS(0, "assign m.json w.csv");
    cli_write("s.svm", "0 1:1 2:4\n0 1:3 2:6\n");
    RUNS(0, "cluster kmeans s.svm --k 1 --save m.json");
    RUNS(0, "assign m.json new.csv --task 0");
    RUNS(1, "assign m.json new.csv c.csv --task 0");
    ERR_HAS("mtc: new.csv: numbers may have decimals or thousands; c.csv has");
    PASS();
}

/* New files are read as those of the model were. */
TEST models_know_how_columns_were_read(void)
{
    cli_write("t.csv", "id;price;rate;when;x\n17;$1,301.50;7%;2024-01-10;5\n"
              "12;$1,300.50;8%;2024-01-11;5\n15;$2.00;9%;2024-01-12;5\n");
    RUNS(0, "cluster kmeans t.csv --k 1 --dates days --save m.json --quiet");
    cli_write("new.csv", "x;when;rate;price;id\n9;2024-01-11;8%;$868;3\n");
    RUNS(0, "assign m.json new.csv --json -");
    JSON_NEAR("tasks.0.distance.0", 0);
    cli_write("new.csv", "x;when;rate;price;id\n9;2024-01-11;.08;$868;3\n");
    RUNS(1, "assign m.json new.csv");
    ERR_HAS("new.csv:1: column rate has no sign, but m.json has the sign %");
    cli_write("new.csv", "x;when;rate;price;id\n9;2024-01-11;8%;5 EUR;3\n");
    RUNS(1, "assign m.json new.csv");
    ERR_HAS("column price has the sign EUR, but m.json has the sign $");
    cli_write("new.csv", "x;when;rate;price;id\n9;11;8%;$868;3\n");
    RUNS(1, "assign m.json new.csv");
    ERR_HAS("column when has numbers, but m.json has dates");
    cli_write("new.csv", "x;when;rate;price;id\n9;2024-01-11;8%;cheap;3\n");
    RUNS(1, "assign m.json new.csv");
    ERR_HAS("'cheap', is not a number (1 of 1 are none)\n");
    ASSERT(strstr(cli_last()->err, "try:") == NULL);
    /* By position all columns are needed, but not more than the model has. */
    cli_write("t.csv", "yes,1.5,2\nno,2.5,3\nyes,3.5,9\nno,7.5,8\n");
    RUNS(0, "cluster kmeans t.csv --k 2 --drop 1 --save m.json --quiet");
    RUNS(1, "assign m.json t.csv");
    ERR_HAS("t.csv:1: 3 features, but m.json has 2");
    RUNS(0, "assign m.json t.csv --drop 1");
    cli_write("new.csv", "1.5,2\n2.5,x\n3.5,9\n7.5,8\n");
    RUNS(1, "assign m.json new.csv");
    ERR_HAS("new.csv:2: column 2, 'x', is not a number");
    /* Where a file is ambiguous, the model's decimal sign decides. */
    cli_write("t.csv", "x;y\n1,5;4\n2,5;6\n");
    RUNS(0, "cluster kmeans t.csv --k 1 --save m.json --quiet");
    cli_write("new.csv", "x;y\n1.002;5\n3;5\n");
    RUNS(0, "assign m.json new.csv --json -");
    JSON_NEAR("tasks.0.distance.0", 1000);
    cli_write("t.csv", "x,y\n1.5,4\n2.5,6\n");
    RUNS(0, "cluster kmeans t.csv --k 1 --save m.json --quiet");
    RUNS(0, "assign m.json new.csv");           /* which is told */
    ERR_HAS("new.csv: column x: points are decimal signs; --decimal , makes "
            "them part thousands");
    cli_write("whole.csv", "x;y\n1;5\n3;5\n");
    RUNS(0, "assign m.json whole.csv");
    ASSERT_STR_EQ("", cli_last()->err);
    /* What options left out then is left out now. */
    cli_write("t.csv", "who,note,x,y\nAnn,u,1,5\nBob,v,3,7\n");
    RUNS(0, "cluster kmeans t.csv --k 1 --id who --drop note --save m.json "
            "--quiet");
    cli_write("new.csv", "y,note,x,who\n6,w,2,Eve\n");
    RUNS(0, "assign m.json new.csv --json -");
    JSON_NEAR("tasks.0.distance.0", 0);
    cli_write("new.csv", "y,note,x,who,more\n6,w,2,Eve,4\n");
    RUNS(0, "assign m.json new.csv --json -");
    ERR_HAS("new.csv: more is no feature of m.json: left out");
    JSON_NEAR("tasks.0.distance.0", 0);
    /* By position, too. */
    cli_write("t.csv", "1,5,2\n3,5,4\n");
    RUNS(0, "cluster kmeans t.csv --k 1 --save m.json --quiet");
    cli_write("new.csv", "2,7,3\n");
    RUNS(0, "assign m.json new.csv --json -");
    JSON_NEAR("tasks.0.distance.0", 0);
    PASS();
}

/* Every column, whatever it holds, and status 0. */
TEST describe_tells_of_every_column(void)
{
    cli_write("d.csv", "id;spend;rate;joined;city;who;class;z;empty\n"
              "17;$1,301.58;7%;2024-01-02;Rome;Ann;a;5;\n"
              "12;$20;.07;2024-02-02;Rome;Bob;b;5;\n"
              "15;$30;8%;2024-05-02;Oslo;Eve;a;5;\n"
              "16;-;9%;2024-05-02;Oslo;Jim;a;5;\n");
    cli_write("e.csv", "id,spend\n1,2\n2,3\n3,4\n");
    RUNS(0, "describe d.csv e.csv --json -");
    ASSERT(json_valid(cli_last()->out));
    ASSERT_STR_EQ("mtc schema notices tasks only_some ", json_members(""));
    static const char *const wanted[][3] = {
        {"numbers", "left out", "[12, 17]"},
        {"numbers", "refused", "[20, 1301.5799999999999]"},
        {"numbers", "refused", "[0.070000000000000007, 9]"},
        {"dates", "left out", "[\"2024-01-02\", \"2024-05-02\"]"},
        {"words", "left out", "null"}, {"words", "id", "null"},
        {"words", "labels", "null"}, {"numbers", "left out", "[5, 5]"},
        {"empty", "left out", "null"}};
    for (int j = 0; j < 9; j++) {
        char path[60], text[60];
        sprintf(path, "tasks.0.columns.%d.type", j);
        sprintf(text, "\"%s\"", wanted[j][0]);
        ASSERTm(path, json_is(path, text));
        sprintf(path, "tasks.0.columns.%d.role", j);
        sprintf(text, "\"%s\"", wanted[j][1]);
        ASSERTm(path, json_is(path, text));
        sprintf(path, "tasks.0.columns.%d.range", j);
        if (sizeof(mtc_real) == 8)      /* a float prints as it is */
            ASSERTm(path, json_is(path, wanted[j][2]));
    }
    JSON_NEAR("tasks.0.columns.1.missing", 1);
    JSON_NEAR("tasks.0.columns.3.different", 3);
    ASSERT(json_is("tasks.0.columns.1.sign", "\"$\""));
    ASSERT(json_is("tasks.0.columns.2.faults.0.value", "\"7%\""));
    JSON_NEAR("tasks.0.columns.2.faults.0.line", 2);
    ASSERT(json_is("tasks.0.columns.6.faults", "[]"));
    ASSERT(json_is("only_some.0", "\"rate\""));
    RUNS(0, "describe d.csv e.csv");
    OUT_HAS("d.csv: 4 rows, 9 columns\n");
    OUT_HAS("line 2: '7%' has the sign %, but other values of the column have "
            "none\n");
    OUT_HAS("--match common leaves them out.\n");
    cli_write("e.csv", "x,y,x,y\n1,2,3,4\n2,4,5,9\n");
    RUNS(0, "describe e.csv");
    ERR_HAS("columns x.2 and y.2: a name that the header has again");
    cli_write("e.csv", "day;x\n240301;1,5\n240302;2,5\n240305;1,5\n"
              "240306;1,5\n240307;0\n");
    RUNS(0, "describe e.csv");
    ERR_HAS("note: e.csv: the comma is the decimal sign\n");
    ERR_HAS("note: e.csv: column day ascends from row to row");
    OUT_HAS("240301 to 240307");
    cli_write("e.csv", "shop,x\nA,1\nB,2\nA,4\nTotal,7\n");
    RUNS(0, "describe e.csv --json -");
    JSON_NEAR("tasks.0.columns.0.different", 2);
    cli_write("e.csv", "x,class\n1,a\n2,b\n3,a\n");   /* as a run has it */
    RUNS(0, "describe e.csv --json -");
    ASSERT(json_is("tasks.0.columns.0.role", "\"feature\""));
    cli_write("e.csv", "z,id,class\n5,1,a\n5,4,b\n5,3,a\n");
    RUNS(0, "describe e.csv --json -");
    ASSERT(json_is("tasks.0.columns.0.role", "\"left out\""));
    ASSERT(json_is("tasks.0.columns.1.role", "\"feature\""));
    RUNS(0, "cluster kmeans --k 1 e.csv --json -");
    ASSERT(same_numbers("2.6666667", means_read()));
    cli_write("e.csv", "well,450,562,600\nA1,.1,.2,.3\nA2,.2,.5,.3\n");
    RUNS(1, "describe e.csv");                  /* as a run asks */
    ERR_HAS("e.csv:1: a row of ascending numbers may be a header or a sample");
    cli_write("e.csv", "yes,no\nno,no\nyes,yes\n");
    RUNS(1, "describe e.csv");
    ERR_HAS("e.csv:1: the words of this line are also values of their columns");
    cli_write("e.csv", "x,y,z\n1,,5\n2,,4\n");
    RUNS(0, "describe e.csv");
    OUT_HAS("left out: empty\n");
    cli_write("e.csv", "x;y\n1;012345678901234567\xc3\xa4" "012345678901234567890\n"
              "2;4\n3;5\n");
    RUNS(0, "describe e.csv");                  /* no letter is cut */
    OUT_HAS(" '012345678901234567\xc3\xa4\xe2\x80\xa6" "1234567890' is not a "
            "number (1 of 3 are ");
    cli_write("e.csv", "x;y\n1;\xfc" "ber\n2;7\n3;8\n");
    RUNS(0, "describe e.csv");
    OUT_HAS(" '\xc3\xbc" "ber' is not a number (1 of 3 are none)\n");
    RUNS(1, "describe nothing.csv");
    RUNS(2, "describe");
    PASS();
}

/* What is missing is filled in with the only value. */
TEST describe_leaves_out_one_value_and_holes(void)
{
    cli_write("e.csv", "x,y\n1,\n2,1\n9,1\n8,\n");
    RUNS(0, "describe e.csv --missing mean --json -");
    ASSERT(json_is("tasks.0.columns.1.why", "\"never varies\""));
    RUNS(0, "cluster kmeans --k 1 --missing mean e.csv --json -");
    ASSERT_STR_EQ("5", means_read());
    PASS();
}

/* A run decides for all files together; so does describe. */
TEST describe_says_what_a_run_of_all_files_does(void)
{
    cli_write("m1.csv", "no,x\n1,5\n2,6\n3,9\n4,1\n5,2\n");
    cli_write("m2.csv", "no,x\n7,5\n7,6\n3,8\n4,1\n5,2\n");
    RUNS(0, "cluster kmeans --k 2 m1.csv m2.csv --json -");
    JSON_NEAR("tasks.0.d", 2);
    ERR_HAS("m1.csv (and 1 more): column no is named like an identifier, but "
            "values repeat, and stays a feature");
    RUNS(0, "describe m1.csv m2.csv --json -");
    ASSERT(json_is("tasks.0.columns.0.role", "\"feature\""));
    ASSERT(json_is("tasks.1.columns.0.role", "\"feature\""));
    ERR_HAS("m1.csv (and 1 more): column no is named like an identifier, but "
            "values repeat, and stays a feature");
    cli_write("m3.csv", "x,no\n5,70\n6,30\n8,40\n1,10\n2,50\n");
    RUNS(0, "describe m1.csv m3.csv --json -");     /* places differ */
    ASSERT(json_is("tasks.0.columns.0.role", "\"left out\""));
    ASSERT(json_is("tasks.0.columns.0.why",
                   "\"only numbers the samples\""));
    ASSERT(json_is("tasks.1.columns.1.why",
                   "\"only numbers the samples\""));
    RUNS(0, "cluster kmeans --k 2 m1.csv m3.csv --json -");
    JSON_NEAR("tasks.0.d", 1);
    cli_write("m4.csv", "70,5\n30,6\n40,8\n10,1\n50,2\n");
    RUNS(0, "cluster kmeans --k 2 m1.csv m4.csv --json -");
    JSON_NEAR("tasks.1.d", 1);
    ERR_HAS("; --use +no keeps it\n");
    RUNS(0, "cluster kmeans --k 2 m1.csv m4.csv --use 1-2 --json -");
    JSON_NEAR("tasks.1.d", 2);
    RUNS(0, "describe m1.csv m4.csv --json -");     /* names of the first */
    ASSERT(json_is("tasks.1.columns.0.why",
                   "\"only numbers the samples\""));
    ASSERT(json_is("only_some", "[]"));
    cli_write("c1.csv", "1,5\n2,6\n3,9\n");
    cli_write("c2.csv", "1,5\n4,6\n3,9\n");
    RUNS(0, "cluster kmeans --k 2 c1.csv c2.csv --json -");
    JSON_NEAR("tasks.0.d", 2);
    RUNS(0, "describe c1.csv c2.csv --json -");
    ASSERT(json_is("tasks.0.columns.0.why", "null"));
    ASSERT(json_is("tasks.0.columns.0.role", "\"feature\""));
    RUNS(0, "describe c1.csv c1.csv --json -");
    ASSERT(json_is("tasks.1.columns.0.why", "\"counts the samples\""));
    PASS();
}

/* Steps upward in one file alone, a code in the other alone, a table beside
 * LIBSVM text, whose columns stay. */
TEST describe_doubts_columns_of_all_files(void)
{
    cli_write("u.csv", "x,y\n1,5\n2,6\n3,9\n4,1\n8,2\n");
    cli_write("v.csv", "x,y\n3,5\n2,6\n3,9\n4,1\n8,07\n");
    RUNS(0, "describe u.csv");
    ERR_HAS("u.csv: column x ascends from row to row");
    RUNS(0, "describe u.csv v.csv");
    ASSERT(strstr(cli_last()->err, "ascends") == NULL);
    ERR_HAS("u.csv (and 1 more): column y has numbers that begin with 0, ");
    RUNS(0, "cluster kmeans --k 1 u.csv v.csv");
    ASSERT(strstr(cli_last()->err, "ascends") == NULL);
    ERR_HAS("u.csv (and 1 more): column y has numbers that begin with 0, ");
    cli_write("w.csv", "x,y\n1,5\n2,5\n");
    cli_write("w.svm", "1 1:2 2:5\n2 1:3 2:5\n");
    RUNS(0, "cluster kmeans --k 1 w.csv w.svm --json -");
    JSON_NEAR("tasks.0.d", 2);
    RUNS(0, "describe w.csv w.svm --json -");
    ASSERT(json_is("tasks.0.columns.1.role", "\"feature\""));
    cli_write("p.csv", "x,no\n5,$1\n6,$2\n8,$3\n");
    RUNS(0, "cluster kmeans --k 1 p.csv --json -");
    JSON_NEAR("tasks.0.d", 2);
    RUNS(0, "describe p.csv --json -");              /* amounts name nothing */
    ASSERT(json_is("tasks.0.columns.1.role", "\"feature\""));
    PASS();
}

/* What a notice advises is what it says: a day is a feature like others, and
 * 1 a name beside 0. */
TEST advice_keeps_days_and_names_that_are_numbers(void)
{
    cli_write("o.csv", "no,when,x\n7,2024-05-31,1\n8,2024-06-02,5\n"
              "3,2024-06-09,2\n");
    RUNS(0, "cluster kmeans --k 1 o.csv --dates days");
    ERR_HAS("column no only numbers the samples and is left out; --use +no "
            "keeps it\n");
    cli_write("o.csv", ",0,1,2\nAnn,5,1,2\nBob,2,2,2.5\nEve,7,1,4\n");
    RUNS(0, "cluster kmeans --k 1 o.csv");
    ERR_HAS("they name the samples; --drop 1 leaves them out\n");
    RUNS(0, "cluster kmeans --k 1 o.csv --drop 1-1 --json -");
    JSON_NEAR("tasks.0.d", 3);
    PASS();
}

/* As a spreadsheet writes them: more than one window of the reader holds. */
TEST empty_lines_below_a_table_are_no_rows(void)
{
    enum { LINES = 100000 };
    static char text[2 * LINES + 100];
    char *to = text + sprintf(text, "x,y\n1,2\n,\n4,5\n9,7\n");
    for (int i = 0; i < LINES; i++, to += 2)
        memcpy(to, ",\n", 3);
    cli_write("e.csv", text);
    RUNS(0, "describe e.csv");
    OUT_HAS("e.csv: 4 rows, 2 columns\n");
    memcpy(to, "5,", 3);                        /* then all of them are */
    cli_write("e.csv", text);
    RUNS(0, "describe e.csv");
    OUT_HAS("e.csv: 100005 rows, 2 columns\n");
    PASS();
}

/* Numbers as they were understood, words as they are: the text beside each. */
TEST describe_writes_what_it_reads(void)
{
    static char text[CLI_TEXT];
    cli_write("d.csv", "no;spend;city;class\n# nothing\n"
              "007;$1,301.5;Rome;1.0\n\n"
              "008;(2.25);\"San \"\"J\"\"; X\";2\n009;-;;1.0\n");
    cli_write("e.svm", "1 2:.5 7:-3\n2\n");
    RUNS(0, "describe d.csv --id no --out read");
    RUNS(0, "describe e.svm --out read");
    cli_write("f.csv", "x\n4\nNA\n2\n");
    RUNS(0, "describe f.csv --out read");
    ASSERT_STR_EQ("x\n4\n\"\"\n2\n",
                  cli_read(cli_path("read/f.csv"), text));
    ASSERT_STR_EQ("no,spend,city,class\n007,1301.5,Rome,1.0\n"
                  "008,-2.25,\"San \"\"J\"\"; X\",2\n009,,,1.0\n",
                  cli_read(cli_path("read/d.csv"), text));
    ASSERT_STR_EQ("1 2:0.5 7:-3\n2\n",
                  cli_read(cli_path("read/e.svm"), text));
    cli_write("f.csv", "no,x\n007,4\n12345678901234567890,2.5\n");
    RUNS(0, "describe f.csv --out read");
    ASSERT_STR_EQ("no,x\n007,4\n12345678901234567890,2.5\n",
                  cli_read(cli_path("read/f.csv"), text));
    cli_write("f.csv", "gr\xf6\xdf" "e;ort\n1,5;M\xfcnchen\n2;Ulm\n");
    RUNS(0, "describe f.csv --out read");
    ASSERT_STR_EQ("gr\xc3\xb6\xc3\x9f" "e,ort\n1.5,M\xc3\xbcnchen\n2,Ulm\n",
                  cli_read(cli_path("read/f.csv"), text));
    cli_write("f.csv", "1;2\n4;5,5\n");
    RUNS(0, "describe f.csv --out read");
    ASSERT_STR_EQ("1,2\n4,5.5\n", cli_read(cli_path("read/f.csv"), text));
    cli_write("f.csv", ",a,b\n0,4,5\n1,6,7\n");
    RUNS(0, "describe f.csv --out read");
    ASSERT_STR_EQ(",a,b\n0,4,5\n1,6,7\n",
                  cli_read(cli_path("read/f.csv"), text));
    RUNS(2, "describe d.csv --out .");
    ERR_HAS("is an input");
    PASS();
}

/* Spaces and apostrophes are no decimal signs, and another column may tell; no
 * column both stays and goes. */
TEST what_is_sure_is_no_guess(void)
{
    cli_write("s.csv", "x;y\n1;1'301\n3;2'300\n");
    RUNS(0, "cluster kmeans --k 1 s.csv --strict");
    ERR_HAS("column y: digits stand in groups of three\n");
    cli_write("s.csv", "x;y\n1,5;1.188\n3,5;934\n");
    RUNS(0, "cluster kmeans --k 1 s.csv --strict");
    ERR_HAS("column y: digits stand in groups of three\n");
    cli_write("s.csv", "id,x\n7,1\n7,4\n");
    RUNS(0, "cluster kmeans --k 1 s.csv");
    ASSERT(strstr(cli_last()->err, "values repeat") == NULL);
    cli_write("s.csv", "2019,2020\n1,2\n3,4\n");
    RUNS(0, "describe s.csv");
    ERR_HAS("numbers are taken for the header; --header no");
    RUNS(0, "cluster kmeans --k 1 s.csv --header yes --json -");
    ASSERT_STR_EQ("2 3", means_read());
    PASS();
}

/* A model knows the decimal sign of its files; a guess is said all the same. */
TEST a_guess_is_said_of_new_rows_too(void)
{
    cli_write("s.csv", "x,y\n1,1.500\n3,2.250\n");
    RUNS(0, "cluster kmeans --k 1 s.csv --save s.json");
    cli_write("q.csv", "x;y\n1;1,500\n3;2,250\n");
    RUNS(0, "assign s.json q.csv");
    ERR_HAS("column y: commas part thousands; --decimal , makes them");
    RUNS(0, "assign s.json q.csv --decimal ,");
    ASSERT(strstr(cli_last()->err, "thousands") == NULL);
    PASS();
}

/* All files in one message, and for who reads JSON an object. */
TEST all_files_are_refused_at_once(void)
{
    cli_write("p.csv", "a,b\n1,2\n,\n4,5\n");
    cli_write("q.csv", "a,b\nkg,m\n1,2\n7,4\n");
    RUNS(1, "cluster kmeans --k 1 p.csv q.csv");
    ERR_HAS("p.csv q.csv --missing-word kg,m --missing mean\n");
    cli_write("p.csv", "a,b,c\n1,x,3\n2,x,q\n3,y,4\n");
    cli_write("q.csv", "a,b,c\n1,2,3\n2,u,4\n");
    RUNS(1, "cluster kmeans --k 1 p.csv q.csv --json -");
    ERR_HAS("p.csv:3: column 3 (c), 'q', is not a number (1 of 3 are none)\n");
    ERR_HAS("p.csv q.csv --json - --missing-word q --missing mean\n");
    ASSERT_STR_EQ("mtc schema notices error ", json_members(""));
    JSON_NEAR("error.status", 1);
    PASS();
}

/* Column 3 of one file is another one in the next: --drop 3 would take both. */
TEST spreadsheets_are_read_as_they_are(void)
{
    cli_write("e.csv", "r,v\n1,5\n#N/A,7\n#DIV/0!,6\n2,9\n");
    RUNS(0, "cluster kmeans --k 1 e.csv --missing mean --json -");
    JSON_NEAR("tasks.0.n", 4);
    cli_write("e.csv", "r,v\n577,8\n\"5,898\",7\n");
    RUNS(1, "cluster kmeans --k 1 e.csv");
    RUNS(0, "cluster kmeans --k 1 e.csv --decimal , --json -");
    JSON_NEAR("tasks.0.centers.0.0", (577 + 5.898) / 2);
    cli_write("e.csv", "pr\xe9nom,v\n1,8\n4,7\n");
    RUNS(0, "describe e.csv --json -");
    ASSERT(json_is("tasks.0.columns.0.name", "\"pr\xc3\xa9nom\""));
    RUNS(0, "cluster kmeans --k 1 e.csv --use pr\xc3\xa9nom --json -");
    JSON_NEAR("tasks.0.d", 1);
    cli_write("e.jsonl", "{\"id\": 1, \"class\": \"u\"}\n{\"id\": 7, "
              "\"class\": \"v\"}\n");
    RUNS(0, "describe e.jsonl --json -");
    ASSERT(json_is("tasks.0.columns.1.role", "\"labels"));
    JSON_NEAR("tasks.0.columns.0.range.1", 7);
    cli_write("e.jsonl", "{\"a\": 1, \"a\": 2}\n");
    RUNS(1, "describe e.jsonl");
    ERR_HAS("e.jsonl:1: the member 'a' is there twice");
    cli_write("e.jsonl", "{\"a\": 1e999}\n");
    RUNS(1, "describe e.jsonl");
    ERR_HAS("e.jsonl:1: '1e999' is too large");
    PASS();
}

SUITE(cli_tables_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(cli_setup, NULL);
    for (size_t i = 0; i < sizeof sheets / sizeof sheets[0]; i++)
        RUN_TEST1(a_table_is_read_as_people_mean_it, &sheets[i]);
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        RUN_TEST1(a_table_is_refused_with_the_way_out, &refusals[i]);
    RUN_TEST(what_is_proposed_can_be_pasted);
    RUN_TEST(files_are_looked_at_together);
    RUN_TEST(times_are_parts_of_a_day);
    RUN_TEST(files_with_features_of_their_own_are_looked_at_alone);
    RUN_TEST(decimal_signs_of_a_run_agree);
    RUN_TEST(headers_of_numbers_agree);
    RUN_TEST(a_long_table_is_looked_at_in_part);
    RUN_TEST(words_in_two_encodings_are_the_same);
    RUN_TEST(models_know_how_columns_were_read);
    RUN_TEST(a_model_of_two_decimal_signs_asks);
    RUN_TEST(describe_tells_of_every_column);
    RUN_TEST(describe_leaves_out_one_value_and_holes);
    RUN_TEST(describe_says_what_a_run_of_all_files_does);
    RUN_TEST(describe_doubts_columns_of_all_files);
    RUN_TEST(advice_keeps_days_and_names_that_are_numbers);
    RUN_TEST(empty_lines_below_a_table_are_no_rows);
    RUN_TEST(describe_writes_what_it_reads);
    RUN_TEST(what_is_sure_is_no_guess);
    RUN_TEST(a_guess_is_said_of_new_rows_too);
    RUN_TEST(all_files_are_refused_at_once);
    RUN_TEST(spreadsheets_are_read_as_they_are);
}
