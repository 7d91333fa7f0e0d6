# SPDX-License-Identifier: MIT
"""The published rules for Arduino libraries (format 1.5, rev. 2.2) and for
PlatformIO's library.json, held against two unpacked packages.

    dist_rules.py ARDUINO PLATFORMIO VERSION
"""
import json
import os
import re
import sys

arduino, platformio, version = sys.argv[1:]
CATEGORIES = {
    "Display", "Communication", "Signal Input/Output", "Sensors",
    "Device Control", "Timing", "Data Storage", "Data Processing", "Other"}


def must(condition, rule):
    if not condition:
        sys.exit("dist_rules: " + rule)


# library.properties: key=value lines, UTF-8
with open(os.path.join(arduino, "library.properties"), encoding="utf-8") as f:
    p = dict(line.rstrip("\n").split("=", 1) for line in f)
for key in ("name", "version", "author", "maintainer", "sentence",
            "paragraph", "category", "architectures"):
    must(p.get(key), "library.properties has no " + key)
must(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,62}", p["name"]), "name")
must(not p["name"].lower().startswith("arduino"), "the name is reserved")
must(p["version"] == version, "version is that of mtc.h")
must(re.fullmatch(r"\d+\.\d+\.\d+", p["version"]), "version is semantic")
must(p["category"] in CATEGORIES, "category is one of the list")
must(not p["paragraph"].startswith(p["sentence"]),
     "paragraph is printed after sentence and does not repeat it")
must("url" not in p or re.match(r"https?://", p["url"]), "url")
must("avr" not in p["architectures"].split(","), "double has 32 bits there")
for header in p.get("includes", "").split(","):
    must(os.path.exists(os.path.join(arduino, "src", header)), header)
must(not os.path.exists(os.path.join(arduino, "utility")),
     "with src/ there is no utility/")
sketches = os.path.join(arduino, "examples")
for sketch in os.listdir(sketches):
    must(os.path.exists(os.path.join(sketches, sketch, sketch + ".ino")),
         "a sketch is in a folder of its own name")
for d, _, files in os.walk(arduino):
    must(not any(f.startswith(".") for f in files), "hidden files")
    must(not any(f.endswith((".exe", ".a")) for f in files), "binaries")

# library.json
with open(os.path.join(platformio, "library.json"), encoding="utf-8") as f:
    j = json.load(f)
must(re.fullmatch(r"[a-z0-9](-?[a-zA-Z0-9])*", j["name"])
     and len(j["name"]) <= 50, "name: at most 50 of a-z, 0-9 and dashes")
must(j["version"] == version and len(version) <= 20, "version")
must(0 < len(j["description"]) <= 255, "description: at most 255 characters")
must(j["license"] == "MIT", "license is of the SPDX list")
must(all(k.strip() for k in j["keywords"].split(",")), "keywords")
for key in j:
    must(key in {"$schema", "name", "version", "description", "keywords",
                 "homepage", "repository", "authors", "license", "frameworks",
                 "platforms", "headers", "examples", "dependencies", "export",
                 "scripts", "build"}, key + " is no field of library.json")
must(os.path.exists(os.path.join(platformio, "src", j["headers"])), "headers")
for e in j["examples"]:
    for f in e["files"]:
        must(os.path.exists(os.path.join(platformio, e["base"], f)), f)
print("rules: ok")
