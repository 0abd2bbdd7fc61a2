// Generated from jupyter_memo/jupyter/grammar.json by `jlpm wire`. Do not edit.

/** One option of a magic: what it is called, what its value is, and what may stand there. */
export interface Option {
  flags: string[];
  metavar: string;
  help: string;
  choices: string[];
  closed: boolean;
  many: boolean;
  reads: 'text' | 'whole' | 'name';
  values: string;
}

/** One field of a query: under which name the values of the index are listed, and what it asks for. */
export interface FieldOfQuery {
  values: string;
  help: string;
}

export interface Grammar {
  fields: Record<string, FieldOfQuery>;
  values: Record<string, string[]>;
  closed: string[];
  dates: string[];
  magics: Record<string, Option[]>;
  verbs: Record<string, { help: string; options: Option[] }>;
}

export const GRAMMAR: Grammar = {
  "fields": {
    "ns": {"values":"ns","help":"only this namespace"},
    "namespace": {"values":"ns","help":"only this namespace"},
    "kind": {"values":"kind","help":"only this kind"},
    "tag": {"values":"tag","help":"only what has this tag"},
    "lib": {"values":"lib","help":"only this library"},
    "version": {"values":"version","help":"only this version of it"},
    "source": {"values":"source","help":"only sources such as notes/*.md"},
    "lang": {"values":"lang","help":"only this language"},
    "trust": {"values":"trust","help":"trust of at least N, 0 to 3"},
    "since": {"values":"since","help":"written then or later: 2026, 2026-06, 2026-06-30"},
    "before": {"values":"before","help":"written before then"},
    "as_of": {"values":"as_of","help":"what the index held then"}
  },
  "values": {
    "kind": ["document","notebook","code","data","paper","note","conversation"],
    "trust": ["0","1","2","3"],
    "since": ["today","7d","2w","6m","1y"],
    "before": ["today","7d","2w","6m","1y"],
    "as_of": ["today","7d"]
  },
  "closed": ["kind","trust"],
  "dates": ["since","before","as_of"],
  "magics": {
    "memo_search": [
      {"flags":["-n","--limit"],"metavar":"N","help":"results on the page, 1 to 100","choices":[],"closed":false,"many":false,"reads":"whole","values":""},
      {"flags":["--offset"],"metavar":"N","help":"results to skip: the next page","choices":[],"closed":false,"many":false,"reads":"whole","values":""},
      {"flags":["-m","--mode"],"metavar":"MODE","help":"what to search by","choices":["auto","keyword","exact","semantic"],"closed":true,"many":false,"reads":"text","values":""},
      {
        "flags": ["-p","--profile"],
        "metavar": "NAME",
        "help": "ranking rules, as %memo profiles lists them",
        "choices": ["default","rrf","minmax","memo-mcp","memtomem","precise","recency","code","keyword-only","semantic-only","text-only","no-graph"],
        "closed": false,
        "many": false,
        "reads": "text",
        "values": ""
      },
      {"flags":["-g","--granularity"],"metavar":"WHAT","help":"what a result is","choices":["passage","document","fact"],"closed":true,"many":false,"reads":"text","values":""},
      {"flags":["--also"],"metavar":"QUERY","help":"the same question in other words; their scores vote","choices":[],"closed":false,"many":true,"reads":"text","values":""},
      {
        "flags": ["--surface"],
        "metavar": "WHAT",
        "help": "only this surface; of several each is searched by itself, and what they find is merged",
        "choices": ["memory","chat","file","all"],
        "closed": true,
        "many": true,
        "reads": "text",
        "values": ""
      },
      {"flags":["--min-relevance"],"metavar":"COSINE","help":"a floor for what only meaning finds; 0: no floor of a surface either","choices":[],"closed":false,"many":false,"reads":"text","values":""},
      {"flags":["--max-tokens"],"metavar":"N","help":"no more text than this many model tokens","choices":[],"closed":false,"many":false,"reads":"whole","values":""},
      {"flags":["-e","--explain"],"metavar":"","help":"show the reasons opened","choices":[],"closed":false,"many":false,"reads":"text","values":""},
      {"flags":["--no-sync"],"metavar":"","help":"ask the index as it stands, without a look at the disk","choices":[],"closed":false,"many":false,"reads":"text","values":""},
      {"flags":["--share"],"metavar":"LEVEL","help":"how much text the saved notebook holds","choices":["full","snippets","titles","none"],"closed":true,"many":false,"reads":"text","values":""},
      {"flags":["-w","--widget"],"metavar":"","help":"a search box below the list: ask again, page, cite, judge, index","choices":[],"closed":false,"many":false,"reads":"text","values":""},
      {"flags":["-o","--out"],"metavar":"NAME","help":"assign the result to NAME, and show it","choices":[],"closed":false,"many":false,"reads":"name","values":""},
      {"flags":["-q","--quiet"],"metavar":"","help":"show nothing","choices":[],"closed":false,"many":false,"reads":"text","values":""},
      {"flags":["-N","--namespace"],"metavar":"NAME","help":"only this namespace","choices":[],"closed":false,"many":true,"reads":"text","values":"ns"},
      {"flags":["-k","--kind"],"metavar":"KIND","help":"only this kind","choices":["document","notebook","code","data","paper","note","conversation"],"closed":true,"many":true,"reads":"text","values":""},
      {"flags":["-t","--tag"],"metavar":"TAG","help":"only what has this tag","choices":[],"closed":false,"many":true,"reads":"text","values":"tag"},
      {"flags":["-s","--source"],"metavar":"GLOB","help":"only sources such as notes/*.md","choices":[],"closed":false,"many":true,"reads":"text","values":"source"},
      {"flags":["--library"],"metavar":"NAME","help":"only this library","choices":[],"closed":false,"many":true,"reads":"text","values":"lib"},
      {"flags":["--version"],"metavar":"VERSION","help":"only this version of it","choices":[],"closed":false,"many":true,"reads":"text","values":"version"},
      {"flags":["--lang"],"metavar":"LANG","help":"only this language","choices":[],"closed":false,"many":true,"reads":"text","values":"lang"},
      {"flags":["--since"],"metavar":"DATE","help":"written then or later: 2026, 2026-06, 2026-06-30","choices":[],"closed":false,"many":false,"reads":"text","values":""},
      {"flags":["--before"],"metavar":"DATE","help":"written before then","choices":[],"closed":false,"many":false,"reads":"text","values":""},
      {"flags":["--as-of"],"metavar":"DATE","help":"what the index held then","choices":[],"closed":false,"many":false,"reads":"text","values":""},
      {"flags":["--min-trust"],"metavar":"N","help":"trust of at least N, 0 to 3","choices":[],"closed":false,"many":false,"reads":"whole","values":"trust"}
    ],
    "memo_index": [
      {"flags":["-N","--namespace"],"metavar":"NAME","help":"put the passages into this namespace","choices":[],"closed":false,"many":false,"reads":"text","values":"ns"},
      {
        "flags": ["-k","--kind"],
        "metavar": "KIND",
        "help": "what they are, where the file cannot say",
        "choices": ["document","notebook","code","data","paper","note","conversation"],
        "closed": true,
        "many": false,
        "reads": "text",
        "values": ""
      },
      {"flags":["-t","--tag"],"metavar":"TAG","help":"tag them","choices":[],"closed":false,"many":true,"reads":"text","values":"tag"},
      {"flags":["--library"],"metavar":"NAME","help":"the library they document","choices":[],"closed":false,"many":false,"reads":"text","values":"lib"},
      {"flags":["--version"],"metavar":"VERSION","help":"its version","choices":[],"closed":false,"many":false,"reads":"text","values":"version"},
      {"flags":["--trust"],"metavar":"N","help":"0 (untrusted import) to 3 (checked by its owner)","choices":[],"closed":false,"many":false,"reads":"whole","values":"trust"},
      {"flags":["--allow-secrets"],"metavar":"","help":"index what looks like a key or a password, too; remembered for these files","choices":[],"closed":false,"many":false,"reads":"text","values":""},
      {"flags":["-d","--dry-run"],"metavar":"","help":"say what would be done, write nothing","choices":[],"closed":false,"many":false,"reads":"text","values":""},
      {"flags":["-o","--out"],"metavar":"NAME","help":"assign the result to NAME, and show it","choices":[],"closed":false,"many":false,"reads":"name","values":""},
      {"flags":["-q","--quiet"],"metavar":"","help":"show nothing","choices":[],"closed":false,"many":false,"reads":"text","values":""}
    ],
    "memo": []
  },
  "verbs": {
    "explain": {
      "help": "explain N: why result N stands where it does, and what each arm does for it",
      "options": [{"flags":["--of"],"metavar":"NAME","help":"of the result in NAME instead of the last one","choices":[],"closed":false,"many":false,"reads":"name","values":""}]
    },
    "why_not": {
      "help": "why_not QUERY --target PATH: the step that dropped something, with the number",
      "options": [
        {"flags":["--target"],"metavar":"PATH","help":"a path, glob, path#heading or passage id","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["-n","--limit"],"metavar":"N","help":"results on the page, 1 to 100","choices":[],"closed":false,"many":false,"reads":"whole","values":""},
        {"flags":["--offset"],"metavar":"N","help":"results to skip: the next page","choices":[],"closed":false,"many":false,"reads":"whole","values":""},
        {"flags":["-m","--mode"],"metavar":"MODE","help":"what to search by","choices":["auto","keyword","exact","semantic"],"closed":true,"many":false,"reads":"text","values":""},
        {
          "flags": ["-p","--profile"],
          "metavar": "NAME",
          "help": "ranking rules, as %memo profiles lists them",
          "choices": ["default","rrf","minmax","memo-mcp","memtomem","precise","recency","code","keyword-only","semantic-only","text-only","no-graph"],
          "closed": false,
          "many": false,
          "reads": "text",
          "values": ""
        },
        {"flags":["-g","--granularity"],"metavar":"WHAT","help":"what a result is","choices":["passage","document","fact"],"closed":true,"many":false,"reads":"text","values":""},
        {"flags":["--also"],"metavar":"QUERY","help":"the same question in other words; their scores vote","choices":[],"closed":false,"many":true,"reads":"text","values":""},
        {
          "flags": ["--surface"],
          "metavar": "WHAT",
          "help": "only this surface; of several each is searched by itself, and what they find is merged",
          "choices": ["memory","chat","file","all"],
          "closed": true,
          "many": true,
          "reads": "text",
          "values": ""
        },
        {"flags":["--min-relevance"],"metavar":"COSINE","help":"a floor for what only meaning finds; 0: no floor of a surface either","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--max-tokens"],"metavar":"N","help":"no more text than this many model tokens","choices":[],"closed":false,"many":false,"reads":"whole","values":""},
        {"flags":["-N","--namespace"],"metavar":"NAME","help":"only this namespace","choices":[],"closed":false,"many":true,"reads":"text","values":"ns"},
        {"flags":["-k","--kind"],"metavar":"KIND","help":"only this kind","choices":["document","notebook","code","data","paper","note","conversation"],"closed":true,"many":true,"reads":"text","values":""},
        {"flags":["-t","--tag"],"metavar":"TAG","help":"only what has this tag","choices":[],"closed":false,"many":true,"reads":"text","values":"tag"},
        {"flags":["-s","--source"],"metavar":"GLOB","help":"only sources such as notes/*.md","choices":[],"closed":false,"many":true,"reads":"text","values":"source"},
        {"flags":["--library"],"metavar":"NAME","help":"only this library","choices":[],"closed":false,"many":true,"reads":"text","values":"lib"},
        {"flags":["--version"],"metavar":"VERSION","help":"only this version of it","choices":[],"closed":false,"many":true,"reads":"text","values":"version"},
        {"flags":["--lang"],"metavar":"LANG","help":"only this language","choices":[],"closed":false,"many":true,"reads":"text","values":"lang"},
        {"flags":["--since"],"metavar":"DATE","help":"written then or later: 2026, 2026-06, 2026-06-30","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--before"],"metavar":"DATE","help":"written before then","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--as-of"],"metavar":"DATE","help":"what the index held then","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--min-trust"],"metavar":"N","help":"trust of at least N, 0 to 3","choices":[],"closed":false,"many":false,"reads":"whole","values":"trust"}
      ]
    },
    "similar": {
      "help": "similar [TARGET]: what is like a path, path#heading, result N, text, or this cell",
      "options": [
        {"flags":["--of"],"metavar":"NAME","help":"of the result in NAME instead of the last one","choices":[],"closed":false,"many":false,"reads":"name","values":""},
        {"flags":["--min-similarity"],"metavar":"COSINE","help":"nothing that is less like it","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["-n","--limit"],"metavar":"N","help":"results on the page, 1 to 100","choices":[],"closed":false,"many":false,"reads":"whole","values":""},
        {"flags":["--offset"],"metavar":"N","help":"results to skip: the next page","choices":[],"closed":false,"many":false,"reads":"whole","values":""},
        {"flags":["-m","--mode"],"metavar":"MODE","help":"what to search by","choices":["auto","keyword","exact","semantic"],"closed":true,"many":false,"reads":"text","values":""},
        {
          "flags": ["-p","--profile"],
          "metavar": "NAME",
          "help": "ranking rules, as %memo profiles lists them",
          "choices": ["default","rrf","minmax","memo-mcp","memtomem","precise","recency","code","keyword-only","semantic-only","text-only","no-graph"],
          "closed": false,
          "many": false,
          "reads": "text",
          "values": ""
        },
        {"flags":["-g","--granularity"],"metavar":"WHAT","help":"what a result is","choices":["passage","document","fact"],"closed":true,"many":false,"reads":"text","values":""},
        {
          "flags": ["--surface"],
          "metavar": "WHAT",
          "help": "only this surface; of several each is searched by itself, and what they find is merged",
          "choices": ["memory","chat","file","all"],
          "closed": true,
          "many": true,
          "reads": "text",
          "values": ""
        },
        {"flags":["--max-tokens"],"metavar":"N","help":"no more text than this many model tokens","choices":[],"closed":false,"many":false,"reads":"whole","values":""},
        {"flags":["-e","--explain"],"metavar":"","help":"show the reasons opened","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--no-sync"],"metavar":"","help":"ask the index as it stands, without a look at the disk","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--share"],"metavar":"LEVEL","help":"how much text the saved notebook holds","choices":["full","snippets","titles","none"],"closed":true,"many":false,"reads":"text","values":""},
        {"flags":["-o","--out"],"metavar":"NAME","help":"assign the result to NAME, and show it","choices":[],"closed":false,"many":false,"reads":"name","values":""},
        {"flags":["-q","--quiet"],"metavar":"","help":"show nothing","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["-N","--namespace"],"metavar":"NAME","help":"only this namespace","choices":[],"closed":false,"many":true,"reads":"text","values":"ns"},
        {"flags":["-k","--kind"],"metavar":"KIND","help":"only this kind","choices":["document","notebook","code","data","paper","note","conversation"],"closed":true,"many":true,"reads":"text","values":""},
        {"flags":["-t","--tag"],"metavar":"TAG","help":"only what has this tag","choices":[],"closed":false,"many":true,"reads":"text","values":"tag"},
        {"flags":["-s","--source"],"metavar":"GLOB","help":"only sources such as notes/*.md","choices":[],"closed":false,"many":true,"reads":"text","values":"source"},
        {"flags":["--library"],"metavar":"NAME","help":"only this library","choices":[],"closed":false,"many":true,"reads":"text","values":"lib"},
        {"flags":["--version"],"metavar":"VERSION","help":"only this version of it","choices":[],"closed":false,"many":true,"reads":"text","values":"version"},
        {"flags":["--lang"],"metavar":"LANG","help":"only this language","choices":[],"closed":false,"many":true,"reads":"text","values":"lang"},
        {"flags":["--since"],"metavar":"DATE","help":"written then or later: 2026, 2026-06, 2026-06-30","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--before"],"metavar":"DATE","help":"written before then","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--as-of"],"metavar":"DATE","help":"what the index held then","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--min-trust"],"metavar":"N","help":"trust of at least N, 0 to 3","choices":[],"closed":false,"many":false,"reads":"whole","values":"trust"}
      ]
    },
    "context": {
      "help": "context QUERY: the passages for a language model, whole, framed as data, with sources",
      "options": [
        {"flags":["--even-if-flat"],"metavar":"","help":"give near misses too, where nothing stands out","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["-n","--limit"],"metavar":"N","help":"results on the page, 1 to 100","choices":[],"closed":false,"many":false,"reads":"whole","values":""},
        {"flags":["--offset"],"metavar":"N","help":"results to skip: the next page","choices":[],"closed":false,"many":false,"reads":"whole","values":""},
        {"flags":["-m","--mode"],"metavar":"MODE","help":"what to search by","choices":["auto","keyword","exact","semantic"],"closed":true,"many":false,"reads":"text","values":""},
        {
          "flags": ["-p","--profile"],
          "metavar": "NAME",
          "help": "ranking rules, as %memo profiles lists them",
          "choices": ["default","rrf","minmax","memo-mcp","memtomem","precise","recency","code","keyword-only","semantic-only","text-only","no-graph"],
          "closed": false,
          "many": false,
          "reads": "text",
          "values": ""
        },
        {"flags":["-g","--granularity"],"metavar":"WHAT","help":"what a result is","choices":["passage","document","fact"],"closed":true,"many":false,"reads":"text","values":""},
        {"flags":["--also"],"metavar":"QUERY","help":"the same question in other words; their scores vote","choices":[],"closed":false,"many":true,"reads":"text","values":""},
        {
          "flags": ["--surface"],
          "metavar": "WHAT",
          "help": "only this surface; of several each is searched by itself, and what they find is merged",
          "choices": ["memory","chat","file","all"],
          "closed": true,
          "many": true,
          "reads": "text",
          "values": ""
        },
        {"flags":["--min-relevance"],"metavar":"COSINE","help":"a floor for what only meaning finds; 0: no floor of a surface either","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--max-tokens"],"metavar":"N","help":"no more text than this many model tokens","choices":[],"closed":false,"many":false,"reads":"whole","values":""},
        {"flags":["--no-sync"],"metavar":"","help":"ask the index as it stands, without a look at the disk","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--share"],"metavar":"LEVEL","help":"how much text the saved notebook holds","choices":["full","snippets","titles","none"],"closed":true,"many":false,"reads":"text","values":""},
        {"flags":["-o","--out"],"metavar":"NAME","help":"assign the result to NAME, and show it","choices":[],"closed":false,"many":false,"reads":"name","values":""},
        {"flags":["-q","--quiet"],"metavar":"","help":"show nothing","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["-N","--namespace"],"metavar":"NAME","help":"only this namespace","choices":[],"closed":false,"many":true,"reads":"text","values":"ns"},
        {"flags":["-k","--kind"],"metavar":"KIND","help":"only this kind","choices":["document","notebook","code","data","paper","note","conversation"],"closed":true,"many":true,"reads":"text","values":""},
        {"flags":["-t","--tag"],"metavar":"TAG","help":"only what has this tag","choices":[],"closed":false,"many":true,"reads":"text","values":"tag"},
        {"flags":["-s","--source"],"metavar":"GLOB","help":"only sources such as notes/*.md","choices":[],"closed":false,"many":true,"reads":"text","values":"source"},
        {"flags":["--library"],"metavar":"NAME","help":"only this library","choices":[],"closed":false,"many":true,"reads":"text","values":"lib"},
        {"flags":["--version"],"metavar":"VERSION","help":"only this version of it","choices":[],"closed":false,"many":true,"reads":"text","values":"version"},
        {"flags":["--lang"],"metavar":"LANG","help":"only this language","choices":[],"closed":false,"many":true,"reads":"text","values":"lang"},
        {"flags":["--since"],"metavar":"DATE","help":"written then or later: 2026, 2026-06, 2026-06-30","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--before"],"metavar":"DATE","help":"written before then","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--as-of"],"metavar":"DATE","help":"what the index held then","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--min-trust"],"metavar":"N","help":"trust of at least N, 0 to 3","choices":[],"closed":false,"many":false,"reads":"whole","values":"trust"}
      ]
    },
    "compare": {
      "help": "compare --profiles A,B QUERY: both lists, and the cause of each move",
      "options": [
        {"flags":["--profiles"],"metavar":"A,B","help":"the two to compare; one is compared with that of the answer","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["-n","--limit"],"metavar":"N","help":"results on the page, 1 to 100","choices":[],"closed":false,"many":false,"reads":"whole","values":""},
        {"flags":["-m","--mode"],"metavar":"MODE","help":"what to search by","choices":["auto","keyword","exact","semantic"],"closed":true,"many":false,"reads":"text","values":""},
        {"flags":["-g","--granularity"],"metavar":"WHAT","help":"what a result is","choices":["passage","document","fact"],"closed":true,"many":false,"reads":"text","values":""},
        {"flags":["--also"],"metavar":"QUERY","help":"the same question in other words; their scores vote","choices":[],"closed":false,"many":true,"reads":"text","values":""},
        {
          "flags": ["--surface"],
          "metavar": "WHAT",
          "help": "only this surface; of several each is searched by itself, and what they find is merged",
          "choices": ["memory","chat","file","all"],
          "closed": true,
          "many": true,
          "reads": "text",
          "values": ""
        },
        {"flags":["--min-relevance"],"metavar":"COSINE","help":"a floor for what only meaning finds; 0: no floor of a surface either","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--no-sync"],"metavar":"","help":"ask the index as it stands, without a look at the disk","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--share"],"metavar":"LEVEL","help":"how much text the saved notebook holds","choices":["full","snippets","titles","none"],"closed":true,"many":false,"reads":"text","values":""},
        {"flags":["-N","--namespace"],"metavar":"NAME","help":"only this namespace","choices":[],"closed":false,"many":true,"reads":"text","values":"ns"},
        {"flags":["-k","--kind"],"metavar":"KIND","help":"only this kind","choices":["document","notebook","code","data","paper","note","conversation"],"closed":true,"many":true,"reads":"text","values":""},
        {"flags":["-t","--tag"],"metavar":"TAG","help":"only what has this tag","choices":[],"closed":false,"many":true,"reads":"text","values":"tag"},
        {"flags":["-s","--source"],"metavar":"GLOB","help":"only sources such as notes/*.md","choices":[],"closed":false,"many":true,"reads":"text","values":"source"},
        {"flags":["--library"],"metavar":"NAME","help":"only this library","choices":[],"closed":false,"many":true,"reads":"text","values":"lib"},
        {"flags":["--version"],"metavar":"VERSION","help":"only this version of it","choices":[],"closed":false,"many":true,"reads":"text","values":"version"},
        {"flags":["--lang"],"metavar":"LANG","help":"only this language","choices":[],"closed":false,"many":true,"reads":"text","values":"lang"},
        {"flags":["--since"],"metavar":"DATE","help":"written then or later: 2026, 2026-06, 2026-06-30","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--before"],"metavar":"DATE","help":"written before then","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--as-of"],"metavar":"DATE","help":"what the index held then","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["--min-trust"],"metavar":"N","help":"trust of at least N, 0 to 3","choices":[],"closed":false,"many":false,"reads":"whole","values":"trust"}
      ]
    },
    "judge": {
      "help": "judge N GRADE: keep how well result N answers, 0 to 3",
      "options": [{"flags":["--of"],"metavar":"NAME","help":"of the result in NAME instead of the last one","choices":[],"closed":false,"many":false,"reads":"name","values":""}]
    },
    "judgements": {"help":"what was judged","options":[]},
    "cite": {
      "help": "cite [N…] --style markdown, bibtex or csl: results as citations",
      "options": [
        {"flags":["--of"],"metavar":"NAME","help":"of the result in NAME instead of the last one","choices":[],"closed":false,"many":false,"reads":"name","values":""},
        {"flags":["-s","--style"],"metavar":"STYLE","help":"how it is written","choices":["markdown","bibtex","csl"],"closed":true,"many":false,"reads":"text","values":""}
      ]
    },
    "widget": {"help":"widget [QUERY]: a search box that stays, with citing, judging and indexing","options":[]},
    "maintain": {
      "help": "maintain [--history-days N]: delete old history, put the store in order",
      "options": [{"flags":["--history-days"],"metavar":"N","help":"days of history to keep; 0 keeps none","choices":[],"closed":false,"many":false,"reads":"whole","values":""}]
    },
    "purge": {
      "help": "purge [TARGET…] --yes: erase what was changed or removed from the disk, for good",
      "options": [
        {"flags":["-d","--dry-run"],"metavar":"","help":"say what would be erased, erase nothing","choices":[],"closed":false,"many":false,"reads":"text","values":""},
        {"flags":["-y","--yes"],"metavar":"","help":"erase it; this cannot be undone","choices":[],"closed":false,"many":false,"reads":"text","values":""}
      ]
    },
    "status": {"help":"what stands in the store, and how the model is","options":[]},
    "backfill": {"help":"embed the passages that wait for their vectors","options":[]},
    "doctor": {"help":"what works and what does not, with a cure for each fault","options":[]},
    "profiles": {"help":"profiles [NAME]: the ranking profiles there are, or all constants of one","options":[]},
    "open": {"help":"open PATH: use another store","options":[]},
    "help": {"help":"this text","options":[]}
  }
};
