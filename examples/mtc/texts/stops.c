/* SPDX-License-Identifier: MIT
 *
 * stops.c - English words that say nothing of a topic
 */
#include "texts.h"

#include <stdio.h>
#include <string.h>

const char *const english_stops[] = {
    "a", "about", "above", "across", "after", "again", "against", "all",
    "almost", "alone", "along", "already", "also", "although", "always", "am",
    "among", "an", "and", "another", "any", "anyone", "anything", "are",
    "around", "as", "at", "be", "became", "because", "been", "before",
    "being", "below", "between", "both", "but", "by", "can", "cannot",
    "could", "did", "do", "does", "doing", "done", "down", "during", "each",
    "either", "else", "enough", "ever", "every", "few", "for", "from",
    "further", "had", "has", "have", "having", "he", "hence", "her", "here",
    "hers", "herself", "him", "himself", "his", "how", "however", "i", "if",
    "in", "into", "is", "it", "its", "itself", "just", "less", "many", "may",
    "me", "might", "more", "most", "much", "must", "my", "myself", "neither",
    "never", "no", "nor", "not", "nothing", "now", "of", "off", "often", "on",
    "once", "only", "onto", "or", "other", "others", "our", "ours",
    "ourselves", "out", "over", "own", "perhaps", "quite", "rather", "same",
    "shall", "she", "should", "since", "so", "some", "someone", "something",
    "still", "such", "than", "that", "the", "their", "theirs", "them",
    "themselves", "then", "there", "therefore", "these", "they", "this",
    "those", "though", "through", "thus", "to", "together", "too", "toward",
    "towards", "under", "until", "up", "upon", "us", "very", "was", "we",
    "were", "what", "when", "where", "whether", "which", "while", "who",
    "whom", "whose", "why", "will", "with", "within", "without", "would",
    "yet", "you", "your", "yours", "yourself", "yourselves"};
const size_t n_english_stops = sizeof english_stops / sizeof *english_stops;

/* The list, in lines that fit a screen. */
void print_stops(void)
{
    size_t column = 0;
    printf("The %zu words that --stop english leaves out:\n\n",
           n_english_stops);
    for (size_t i = 0; i < n_english_stops; i++) {
        size_t n = strlen(english_stops[i]);
        int fits = column > 0 && column + n + 1 <= 76;
        printf("%s%s", fits ? " " : column == 0 ? "  " : "\n  ",
               english_stops[i]);
        column = (fits ? column + 1 : 2) + n;
    }
    printf("\n");
}
