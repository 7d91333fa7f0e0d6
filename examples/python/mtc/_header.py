# SPDX-License-Identifier: MIT
"""mtc.h and mtc_advice.h, read as text: what they declare."""
import collections
import os
import re

# Marks like @7@ stand for comments while the rest, plain C, is looked at.

Field = collections.namedtuple("Field", "type stars name dims doc const")
Call = collections.namedtuple("Call", "returns name arguments doc section")

_ITEM = re.compile(r"""

    @(?P<comment>\d+)@
  | \#define\s+(?P<macro>\w+)\ +(?P<value>\w+)
  | enum\s*(?P<enum>\w*)\s*{(?P<words>[^}]*)}\s*\w*\s*;
  | typedef\s+struct\s+(?P<struct>\w+)\s*{(?P<body>[^}]*)}\s*\w+\s*;
  | MTC_API\s+(?P<returns>[\w\s*]+?)\s*(?P<call>mtc_\w+)
    \((?P<arguments>[^)]*)\)\s*;
""", re.VERBOSE)


class Header:
    """What mtc.h, and others, declare: macros, enums, structs and calls."""

    def __init__(self, *texts):
        self.macros, self.enums, self.structs, self.calls = {}, {}, {}, {}
        self.comments, section, doc = [], "", ""
        public = [text.split("#ifdef MTC_INTERNAL")[0] for text in texts]
        text = re.sub(r"/\*.*?\*/", self._hide, "".join(public),
                      flags=re.DOTALL)
        for item in map(re.Match.groupdict, _ITEM.finditer(text)):
            if item["comment"]:
                doc = self.comments[int(item["comment"])]
                if doc.startswith(("----", "====")):
                    section, doc = re.sub("[-=]{3,}", "", doc).strip(), ""
                continue
            if item["macro"]:
                self.macros[item["macro"]] = item["value"]
            elif item["words"]:                 # less what all have in front
                words = self._enum(item["words"])
                most = len(os.path.commonprefix(list(words)).rpartition("_")[0])
                self.enums[item["enum"]] = {
                    w[most + 1:].lower(): v for w, v in words.items()}
                self.macros.update(words)
            elif item["struct"]:
                self.structs[item["struct"]] = self._fields(item["body"])
            else:
                arguments = re.sub(r"@\d+@", "", item["arguments"]).split(",")
                self.calls[item["call"]] = Call(
                    item["returns"], item["call"],
                    [self._declared(a.strip(), "")[0] for a in arguments
                     if a != "void"], doc, section)
            doc = ""
        self.version = ".".join(self.macros.get("MTC_VERSION_" + part, "?")
                                for part in ("MAJOR", "MINOR", "PATCH"))

    def _hide(self, match):                     # keeps it without its stars
        self.comments.append(re.sub(r"\n\s*\* ?", "\n",
                                    match.group()[2:-2]).strip())
        return f"@{len(self.comments) - 1}@"

    @staticmethod
    def _enum(body):
        words, value = {}, 0
        for name, given in re.findall(r"(\w+)(?:\s*=\s*(-?\d+))?",
                                      re.sub(r"@\d+@", "", body)):
            words[name] = int(given or value)
            value = words[name] + 1
        return words

    def _fields(self, body):  # members, with the comment behind each
        fields = []
        for text, number in re.findall(r"([^;]+);[ \t]*(?:@(\d+)@)?", body):
            doc = self.comments[int(number)] if number else ""
            fields += self._declared(re.sub(r"@\d+@", "", text).strip(),
                                     re.sub(r"\s+", " ", doc))
        return fields

    def _declared(self, text, doc):
        """`const T *a, *b[2]`: one Field for each name."""
        pointer = re.match(r"[\w\s*]+\(\*(\w+)\)\s*\(", text)
        if pointer:                             # to a function
            return [Field("function", 1, pointer.group(1), (), doc, False)]
        const = text.startswith("const")
        kind, names = re.match(r"\s*(unsigned char|\w+)([^$]*)", re.sub(
            r"\b(const|struct)\b", "", text)).groups()
        fields = []
        for each in names.split(","):
            name, dims = re.search(r"(\w+)((?:\[\w+\])*)\s*$", each).groups()
            dims = tuple(int(self.macros.get(x, x))
                         for x in re.findall(r"\w+", dims))
            fields.append(Field(kind, each.count("*"), name, dims, doc, const))
        return fields
