// Generated from jupyter_memo/wire.schema.json by `jlpm wire`. Do not edit.

/**
 * The answer to one query. Iterating it iterates its results.
 *
 * `total` is the length of the list that this is a page of, without those that are folded below others; of a query
 * that only filters, all there are. `total_mode` is exact when no arm was full (or what it brought is all of the
 * scope), else page: there may be more. `reason` and `hint` explain an empty list; `hints` are remarks
 * worth showing.
 * `open_why` asks a view to show the reasons opened (`--explain`), `share` says how much text a saved notebook holds.
 * `words_to_try` are words that the passages near to an empty or flat list use, `nearest` the best of what was
 * refused. `truncated` counts ranked results that are not on this page because of the limit or the budget. `terms`
 * are the query's own words as shown to a person; `excluded` what was left out; `filters` the fields as typed; `scope`
 * and `min_relevance` what was given beside the query, so that it can be asked again, as are `queries`, other wordings
 * that voted with it. `unwanted` was said in plain words ("without garlic") and weighs a result down; `suggested` are
 * the fields that the query's time words would be. `legs` are the surfaces that were searched apart and merged, none
 * where the list is one. `ways` lead a reader of a saved notebook to the files: (first part of a uri, the relative
 * path from the working folder to the folder that it stands for), empty where that would name folders beside it.
 */
export interface SearchResponse {
  /**
   * The version of this form
   */
  schema: 1;
  /**
   * How much passage text is inside
   */
  text: 'full' | 'snippets' | 'titles' | 'none';
  query: string;
  results: Result[];
  score_scale:
    'evidence' | 'rrf' | 'minmax' | 'weighted_max' | 'rerank' | 'signals' | 'bm25' | 'dense' | 'surfaces' | 'none';
  mode_effective: 'hybrid' | 'hybrid_dense_only' | 'keyword_only' | 'semantic_only' | 'exact' | 'filter_only';
  total: number;
  total_mode: 'page' | 'exact';
  shape: Shape;
  limit: number;
  offset: number;
  now: string;
  reason: string | null;
  hint: string | null;
  hints: string[];
  truncated: number;
  narrow_hint: NarrowHint | null;
  words_to_try: string[];
  nearest: Miss[];
  recorded: boolean;
  degraded: Degraded;
  terms: string[];
  excluded: string[];
  filters: string[];
  granularity: string;
  open_why: boolean;
  share: 'full' | 'snippets' | 'titles' | 'none';
  scope: Scope;
  min_relevance: number | null;
  queries: string[];
  unwanted: string[];
  suggested: string[];
  legs: Leg[];
  ways: [string, string][];
  trace: Trace;
}
/**
 * One result. `snippet` is the best window of the passage, `marks` the half-open character ranges of matched words
 * in it. `document` is the uri of the whole document when the granularity asks for documents. `native` is the score
 * that it had on its own surface (`passage.surface`), where several surfaces were merged. `folded` are passages that
 * say the same, best first; they have no place of their own and are in no count. `before` and `after` are the text
 * around the best passage of a document: context, in which nothing was looked for.
 */
export interface Result {
  rank: number;
  passage: Passage;
  score: number;
  relevance: number | null;
  band: 'strong' | 'moderate' | 'weak' | 'very-weak' | 'keyword-only';
  snippet: string;
  marks: [number, number][];
  document: string | null;
  native: number | null;
  why: Why | null;
  folded: Folded[];
  before: string;
  after: string;
}
/**
 * One searchable passage. `id` is content-addressed: it depends on its source, header and text, not on its place.
 *
 * `uri` is what a person reads (`notes/criticality.md`), `source_id` stands for the file or record. `header` is the
 * breadcrumb, outermost first. `surface` is `chat` for turns of a conversation, else `file` or, for a record,
 * `memory`. `tokens` counts the tokens of the model in use when it was indexed. `sha256` is that of header and text.
 * `superseded_at`, `forgotten_at`, `expires_at` take it out of live search, never out of history.
 */
export interface Passage {
  id: string;
  source_id: string;
  uri: string;
  text: string;
  header: string[];
  span: Span;
  surface: 'file' | 'memory' | 'chat';
  kind: 'document' | 'notebook' | 'code' | 'data' | 'paper' | 'note' | 'conversation';
  namespace: string;
  owner: string;
  visibility: string;
  library: string | null;
  version: string | null;
  tags: string[];
  trust: number;
  lang: string | null;
  code: boolean;
  tokens: number;
  sha256: string;
  created_at: string;
  recorded_at: string;
  expires_at: string | null;
  superseded_at: string | null;
  superseded_by: string | null;
  forgotten_at: string | null;
  forget_reason: string | null;
}
/**
 * Where a passage stands in its source. Every field that does not apply is None.
 *
 * `start_line` and `end_line` are 1-based and inclusive, counted in the file (Markdown, code, text) or, for a
 * notebook, inside the cell. `cell` is the 0-based index of the cell, `cell_id` its nbformat id,
 * `execution_count` the number in `In[n]`, `part` is source or output. `page` is 1-based, `turn` is 1-based,
 * `key` is a dotted path in a structured file.
 */
export interface Span {
  start_line: number | null;
  end_line: number | null;
  cell: number | null;
  cell_id: string | null;
  execution_count: number | null;
  part: ('source' | 'output') | null;
  page: number | null;
  turn: number | null;
  key: string | null;
}
/**
 * The reason of one rank. The contributions of `arms` sum to `fused`; `fused` (or `rerank`) times the weights is
 * `final`. `rrf_rank` is where plain reciprocal rank fusion of the same lists would put it before any weight; None
 * under rank fusion itself.
 */
export interface Why {
  arms: Vote[];
  fused: number;
  rerank: number | null;
  weights: Weight[];
  final: number;
  rank: number;
  relevance: number | null;
  band: 'strong' | 'moderate' | 'weak' | 'very-weak' | 'keyword-only';
  places: Place[];
  provenance: Provenance;
  freshness: Freshness;
  rrf_rank: number | null;
}
/**
 * What one arm gave to one result: `contribution` = its part of `Why.fused`, `weight` the arm's own weight.
 *
 * `raw_kind` is the unit of `raw`; `matched_terms` are the words of the query that the passage holds. `model` is the
 * one that made a cosine, where the embedder has several; empty elsewhere.
 */
export interface Vote {
  arm: 'keyword' | 'exact' | 'semantic' | 'fact' | 'entity' | 'graph';
  rank: number | null;
  raw: number;
  raw_kind: 'bm25' | 'share' | 'cosine' | 'mention weight' | 'walk mass';
  weight: number;
  contribution: number;
  matched_terms: string[];
  model: string;
}
/**
 * A factor the fused score was multiplied by: age, source, access, unwanted (it holds what the query does not
 * want), or surface (its place on its own surface, where several are merged), with the reason in words.
 */
export interface Weight {
  name: 'age' | 'source' | 'access' | 'unwanted' | 'surface';
  factor: number;
  detail: string;
}
/**
 * Where a result stood after one stage.
 */
export interface Place {
  stage: string;
  rank: number;
  score: number;
}
/**
 * Where a result comes from, and which text exactly was ranked.
 */
export interface Provenance {
  uri: string;
  source_id: string;
  sha256: string;
  recorded_at: string;
  trust: number;
}
/**
 * How old a result is in days and whether its kind loses weight with age under this profile.
 */
export interface Freshness {
  created_at: string;
  age_days: number;
  ages: boolean;
  factor: number;
}
/**
 * A passage that says the same as a result above it and stands below that one instead of in the list. `likeness` is
 * the share of runs of three words that the two have in common, 0 to 1; `score` is what it would have stood by; `own`
 * are the first words of it that the result above lacks. A `surface` other than `file` has no path to open.
 */
export interface Folded {
  id: string;
  uri: string;
  title: string;
  surface: 'file' | 'memory' | 'chat';
  span: Span;
  score: number;
  likeness: number;
  own: string[];
}
/**
 * What the page looks like as a whole, over the raw cosines of its results (None when there are none).
 */
export interface Shape {
  top_relevance: number | null;
  relevance_spread: number | null;
  flat_page: boolean;
}
/**
 * A scope field that would shorten the list and keep its first result: `kind:notebook` would leave `leaves` of `of`
 * results, or with `at_most` no more than so many. A value with a blank is typed in quotes.
 */
export interface NarrowHint {
  field: string;
  value: string;
  leaves: number;
  of: number;
  at_most: boolean;
}
/**
 * A passage near to a question that found nothing: no result, but what a reader may want to look at.
 */
export interface Miss {
  uri: string;
  title: string;
  span: Span;
  relevance: number | null;
  fused: number;
}
/**
 * Whether something that should have run did not. `code` is stable, `reason` is a sentence with the cure.
 */
export interface Degraded {
  flag: boolean;
  code: string;
  reason: string;
}
/**
 * Which passages may be found. Several values in one field mean any of them; several fields mean all of them.
 *
 * `sources` are globs over `uri` (`notes/*.md`); `since` and `before` bound `created_at` (since <= created < before);
 * `as_of` asks what was live at that time; `min_trust` is 0 to 3. An empty scope is the whole live index without the
 * system namespaces.
 */
export interface Scope {
  namespaces: string[];
  kinds: string[];
  surfaces: string[];
  sources: string[];
  libraries: string[];
  versions: string[];
  tags: string[];
  langs: string[];
  owner: string | null;
  min_trust: number | null;
  since: string | null;
  before: string | null;
  as_of: string | null;
}
/**
 * One surface of a search over several. `found` counts what its arms found, `merged` what of it came into the list,
 * `shown` what is on this page. `best` is its highest native score (None where it gave nothing), on the scale of
 * `scale`; `nearest` its highest cosine; `floor` the least cosine of what nothing but meaning found, where one was
 * set. `note` says what ended it: refused as a whole, cut, nothing found.
 */
export interface Leg {
  surface: 'file' | 'memory' | 'chat';
  found: number;
  merged: number;
  shown: number;
  scale: 'evidence' | 'rrf' | 'minmax' | 'weighted_max' | 'rerank' | 'signals' | 'bm25' | 'dense' | 'surfaces' | 'none';
  best: number | null;
  nearest: number | null;
  floor: number | null;
  note: string;
}
/**
 * How the list was made. `plan` says in words what was looked for and what was left out; `floor` is None where no
 * evidence was judged (another fusion, mode exact, abstention off). `synced` counts the sources that were brought up
 * to date before, changed and removed.
 */
export interface Trace {
  mode_asked: string;
  mode_run: string;
  profile: string;
  profile_hash: string;
  model: string;
  plan: string;
  arms: ArmTrace[];
  filters: FilterTrace[];
  stages: StageTrace[];
  floor: Floor | null;
  cutoff: Cutoff | null;
  budget: Budget;
  as_of: string | null;
  index_version: number;
  synced: number;
  total_ms: number;
}
/**
 * One arm of one search: whether it ran, why (or why not), how many it found, when and how long. `called` is False
 * where the query, the mode or the index gives it nothing to do, so that nothing is missed by its absence.
 */
export interface ArmTrace {
  arm: 'keyword' | 'exact' | 'semantic' | 'fact' | 'entity' | 'graph';
  ran: boolean;
  reason: string;
  candidates: number;
  start_ms: number;
  ms: number;
  called: boolean;
}
/**
 * One predicate of the scope: how many passages it left, after those before it.
 */
export interface FilterTrace {
  predicate: string;
  left: number;
}
/**
 * One stage: how many candidates went in and came out, when it began and how long it took, and a note in words.
 * `ran` is False for a stage that let everything pass, as it is switched off; `note` then says why.
 */
export interface StageTrace {
  stage: string;
  before: number;
  after: number;
  start_ms: number;
  ms: number;
  note: string;
  ran: boolean;
}
/**
 * The best confidence of a query (`ranking.confidence`) against the least that the index calls an answer.
 * `calibrated` is False while the floor is the profile's own and not measured on this index. `cosine` is the best
 * cosine and `certain` the one that is an answer by itself, both None where meaning was not searched or not measured.
 * `refused` says that neither was reached.
 */
export interface Floor {
  best: number;
  least: number;
  calibrated: boolean;
  refused: boolean;
  cosine: number | null;
  certain: number | null;
}
/**
 * Why the list ends before the limit. `drop` is 1 - next/last as a share of 1, `gap` the limit it passed.
 */
export interface Cutoff {
  index: number;
  last_score: number;
  next_score: number;
  drop: number;
  gap: number;
  cause: string;
}
/**
 * The token budget: what was asked for (None: no budget), what the page uses, how many results did not fit.
 */
export interface Budget {
  max_tokens: number | null;
  used_tokens: number;
  left_out: number;
}
/**
 * The group of constants that made a move, and how in words. `alone` says that this group is enough: profile a with
 * it from b makes the same move. Otherwise it did so after the groups that stand before it in `Move.steps`.
 */
export interface Cause {
  group: string;
  sentence: string;
  alone: boolean;
}
/**
 * A constant that two profiles have differently, its values as words. `group` is the part of the ranking that it
 * belongs to: reading, depth, arms, fusion, recency, abstain, cutoff, mmr, page.
 */
export interface Difference {
  group: string;
  constant: string;
  a: string;
  b: string;
}
/**
 * One passage (or document) that is on the page of a or of b. `entered` is on that of b alone, `left` on that of a
 * alone. The ranks are those of the whole lists, None where a list does not hold it: one that left may stand below the
 * page. The `steps` are in the order of the pipeline, and lead from `rank_a` to `rank_b`.
 */
export interface Move {
  id: string;
  title: string;
  uri: string;
  kind: 'up' | 'down' | 'same' | 'entered' | 'left';
  rank_a: number | null;
  rank_b: number | null;
  span: Span;
  cause: Cause | null;
  steps: Step[];
}
/**
 * What the constants of one group did to a rank, after those of the groups before it: where the passage stood in
 * the whole list, and where it stands then. None is outside of it.
 */
export interface Step {
  group: string;
  before: number | null;
  after: number | null;
}
/**
 * One of the two lists. `limit` is how many make its page, `listed` how many the whole list has, at most 100.
 * `reason` says why it is empty.
 */
export interface Side {
  profile: string;
  profile_hash: string;
  scale: 'evidence' | 'rrf' | 'minmax' | 'weighted_max' | 'rerank' | 'signals' | 'bm25' | 'dense' | 'surfaces' | 'none';
  limit: number;
  listed: number;
  arms: ('keyword' | 'exact' | 'semantic' | 'fact' | 'entity' | 'graph')[];
  reason: string | null;
}
/**
 * What one question finds by profile a and by profile b, over the same state of the index and at the same moment.
 *
 * `moves` are those of a's page in its order, then what entered, in that of b. `correlation` is Kendall's tau over the
 * ranks of what is on both pages, None for fewer than two. `share` says how much text a saved notebook holds.
 */
export interface Comparison {
  query: string;
  a: Side;
  b: Side;
  moves: Move[];
  differences: Difference[];
  model: string;
  index_version: number;
  now: string;
  correlation: number | null;
  hints: string[];
  degraded: Degraded;
  share: 'full' | 'snippets' | 'titles' | 'none';
}

/** What one field is. `missing` is what a reader puts where the field is not there. */
export interface Field {
  is: 'string' | 'number' | 'integer' | 'boolean' | 'time' | 'record' | 'list' | 'tuple';
  of?: string;
  each?: Field[];
  among?: (string | number)[];
  orNull?: boolean;
  missing?: unknown;
}

export const RECORDS: Record<string, Record<string, Field>> = {
  SearchResponse: {
    schema: {"is":"integer","among":[1]},
    text: {"is":"string","among":["full","snippets","titles","none"]},
    query: {"is":"string"},
    results: {"is":"list","each":[{"is":"record","of":"Result"}]},
    score_scale: {"is":"string","among":["evidence","rrf","minmax","weighted_max","rerank","signals","bm25","dense","surfaces","none"]},
    mode_effective: {"is":"string","among":["hybrid","hybrid_dense_only","keyword_only","semantic_only","exact","filter_only"]},
    total: {"is":"integer"},
    total_mode: {"is":"string","among":["page","exact"]},
    shape: {"is":"record","of":"Shape"},
    limit: {"is":"integer"},
    offset: {"is":"integer"},
    now: {"is":"time"},
    reason: {"is":"string","orNull":true,"missing":null},
    hint: {"is":"string","orNull":true,"missing":null},
    hints: {"is":"list","each":[{"is":"string"}],"missing":[]},
    truncated: {"is":"integer","missing":0},
    narrow_hint: {"is":"record","of":"NarrowHint","orNull":true,"missing":null},
    words_to_try: {"is":"list","each":[{"is":"string"}],"missing":[]},
    nearest: {"is":"list","each":[{"is":"record","of":"Miss"}],"missing":[]},
    recorded: {"is":"boolean","missing":false},
    degraded: {"is":"record","of":"Degraded"},
    terms: {"is":"list","each":[{"is":"string"}],"missing":[]},
    excluded: {"is":"list","each":[{"is":"string"}],"missing":[]},
    filters: {"is":"list","each":[{"is":"string"}],"missing":[]},
    granularity: {"is":"string","missing":"passage"},
    open_why: {"is":"boolean","missing":false},
    share: {"is":"string","among":["full","snippets","titles","none"],"missing":"snippets"},
    scope: {"is":"record","of":"Scope"},
    min_relevance: {"is":"number","orNull":true,"missing":null},
    queries: {"is":"list","each":[{"is":"string"}],"missing":[]},
    unwanted: {"is":"list","each":[{"is":"string"}],"missing":[]},
    suggested: {"is":"list","each":[{"is":"string"}],"missing":[]},
    legs: {"is":"list","each":[{"is":"record","of":"Leg"}],"missing":[]},
    ways: {"is":"list","each":[{"is":"tuple","each":[{"is":"string"},{"is":"string"}]}],"missing":[]},
    trace: {"is":"record","of":"Trace"}
  },
  ArmTrace: {
    arm: {"is":"string","among":["keyword","exact","semantic","fact","entity","graph"]},
    ran: {"is":"boolean"},
    reason: {"is":"string"},
    candidates: {"is":"integer","missing":0},
    start_ms: {"is":"number","missing":0},
    ms: {"is":"number","missing":0},
    called: {"is":"boolean","missing":true}
  },
  Budget: {
    max_tokens: {"is":"integer","orNull":true,"missing":null},
    used_tokens: {"is":"integer","missing":0},
    left_out: {"is":"integer","missing":0}
  },
  Cutoff: {
    index: {"is":"integer"},
    last_score: {"is":"number"},
    next_score: {"is":"number"},
    drop: {"is":"number"},
    gap: {"is":"number"},
    cause: {"is":"string"}
  },
  Degraded: {
    flag: {"is":"boolean","missing":false},
    code: {"is":"string","missing":""},
    reason: {"is":"string","missing":""}
  },
  FilterTrace: {
    predicate: {"is":"string"},
    left: {"is":"integer"}
  },
  Floor: {
    best: {"is":"number"},
    least: {"is":"number"},
    calibrated: {"is":"boolean"},
    refused: {"is":"boolean"},
    cosine: {"is":"number","orNull":true,"missing":null},
    certain: {"is":"number","orNull":true,"missing":null}
  },
  Folded: {
    id: {"is":"string"},
    uri: {"is":"string"},
    title: {"is":"string"},
    surface: {"is":"string","among":["file","memory","chat"],"missing":"file"},
    span: {"is":"record","of":"Span"},
    score: {"is":"number","missing":0},
    likeness: {"is":"number","missing":1},
    own: {"is":"list","each":[{"is":"string"}],"missing":[]}
  },
  Freshness: {
    created_at: {"is":"time"},
    age_days: {"is":"number"},
    ages: {"is":"boolean"},
    factor: {"is":"number"}
  },
  Leg: {
    surface: {"is":"string","among":["file","memory","chat"]},
    found: {"is":"integer"},
    merged: {"is":"integer"},
    shown: {"is":"integer"},
    scale: {"is":"string","among":["evidence","rrf","minmax","weighted_max","rerank","signals","bm25","dense","surfaces","none"]},
    best: {"is":"number","orNull":true,"missing":null},
    nearest: {"is":"number","orNull":true,"missing":null},
    floor: {"is":"number","orNull":true,"missing":null},
    note: {"is":"string","missing":""}
  },
  Miss: {
    uri: {"is":"string"},
    title: {"is":"string"},
    span: {"is":"record","of":"Span"},
    relevance: {"is":"number","orNull":true,"missing":null},
    fused: {"is":"number","missing":0}
  },
  NarrowHint: {
    field: {"is":"string"},
    value: {"is":"string"},
    leaves: {"is":"integer"},
    of: {"is":"integer"},
    at_most: {"is":"boolean","missing":false}
  },
  Passage: {
    id: {"is":"string"},
    source_id: {"is":"string"},
    uri: {"is":"string"},
    text: {"is":"string"},
    header: {"is":"list","each":[{"is":"string"}],"missing":[]},
    span: {"is":"record","of":"Span"},
    surface: {"is":"string","among":["file","memory","chat"],"missing":"file"},
    kind: {"is":"string","among":["document","notebook","code","data","paper","note","conversation"],"missing":"document"},
    namespace: {"is":"string","missing":""},
    owner: {"is":"string","missing":""},
    visibility: {"is":"string","missing":"private"},
    library: {"is":"string","orNull":true,"missing":null},
    version: {"is":"string","orNull":true,"missing":null},
    tags: {"is":"list","each":[{"is":"string"}],"missing":[]},
    trust: {"is":"integer","missing":2},
    lang: {"is":"string","orNull":true,"missing":null},
    code: {"is":"boolean","missing":false},
    tokens: {"is":"integer","missing":0},
    sha256: {"is":"string","missing":""},
    created_at: {"is":"time"},
    recorded_at: {"is":"time"},
    expires_at: {"is":"time","orNull":true,"missing":null},
    superseded_at: {"is":"time","orNull":true,"missing":null},
    superseded_by: {"is":"string","orNull":true,"missing":null},
    forgotten_at: {"is":"time","orNull":true,"missing":null},
    forget_reason: {"is":"string","orNull":true,"missing":null}
  },
  Place: {
    stage: {"is":"string"},
    rank: {"is":"integer"},
    score: {"is":"number"}
  },
  Provenance: {
    uri: {"is":"string"},
    source_id: {"is":"string"},
    sha256: {"is":"string"},
    recorded_at: {"is":"time"},
    trust: {"is":"integer"}
  },
  Result: {
    rank: {"is":"integer"},
    passage: {"is":"record","of":"Passage"},
    score: {"is":"number"},
    relevance: {"is":"number","orNull":true},
    band: {"is":"string","among":["strong","moderate","weak","very-weak","keyword-only"]},
    snippet: {"is":"string"},
    marks: {"is":"list","each":[{"is":"tuple","each":[{"is":"integer"},{"is":"integer"}]}],"missing":[]},
    document: {"is":"string","orNull":true,"missing":null},
    native: {"is":"number","orNull":true,"missing":null},
    why: {"is":"record","of":"Why","orNull":true,"missing":null},
    folded: {"is":"list","each":[{"is":"record","of":"Folded"}],"missing":[]},
    before: {"is":"string","missing":""},
    after: {"is":"string","missing":""}
  },
  Scope: {
    namespaces: {"is":"list","each":[{"is":"string"}],"missing":[]},
    kinds: {"is":"list","each":[{"is":"string"}],"missing":[]},
    surfaces: {"is":"list","each":[{"is":"string"}],"missing":[]},
    sources: {"is":"list","each":[{"is":"string"}],"missing":[]},
    libraries: {"is":"list","each":[{"is":"string"}],"missing":[]},
    versions: {"is":"list","each":[{"is":"string"}],"missing":[]},
    tags: {"is":"list","each":[{"is":"string"}],"missing":[]},
    langs: {"is":"list","each":[{"is":"string"}],"missing":[]},
    owner: {"is":"string","orNull":true,"missing":null},
    min_trust: {"is":"integer","orNull":true,"missing":null},
    since: {"is":"time","orNull":true,"missing":null},
    before: {"is":"time","orNull":true,"missing":null},
    as_of: {"is":"time","orNull":true,"missing":null}
  },
  Shape: {
    top_relevance: {"is":"number","orNull":true,"missing":null},
    relevance_spread: {"is":"number","orNull":true,"missing":null},
    flat_page: {"is":"boolean","missing":false}
  },
  Span: {
    start_line: {"is":"integer","orNull":true,"missing":null},
    end_line: {"is":"integer","orNull":true,"missing":null},
    cell: {"is":"integer","orNull":true,"missing":null},
    cell_id: {"is":"string","orNull":true,"missing":null},
    execution_count: {"is":"integer","orNull":true,"missing":null},
    part: {"is":"string","among":["source","output"],"orNull":true,"missing":null},
    page: {"is":"integer","orNull":true,"missing":null},
    turn: {"is":"integer","orNull":true,"missing":null},
    key: {"is":"string","orNull":true,"missing":null}
  },
  StageTrace: {
    stage: {"is":"string"},
    before: {"is":"integer"},
    after: {"is":"integer"},
    start_ms: {"is":"number","missing":0},
    ms: {"is":"number","missing":0},
    note: {"is":"string","missing":""},
    ran: {"is":"boolean","missing":true}
  },
  Trace: {
    mode_asked: {"is":"string"},
    mode_run: {"is":"string"},
    profile: {"is":"string"},
    profile_hash: {"is":"string"},
    model: {"is":"string"},
    plan: {"is":"string"},
    arms: {"is":"list","each":[{"is":"record","of":"ArmTrace"}]},
    filters: {"is":"list","each":[{"is":"record","of":"FilterTrace"}]},
    stages: {"is":"list","each":[{"is":"record","of":"StageTrace"}]},
    floor: {"is":"record","of":"Floor","orNull":true,"missing":null},
    cutoff: {"is":"record","of":"Cutoff","orNull":true},
    budget: {"is":"record","of":"Budget"},
    as_of: {"is":"time","orNull":true},
    index_version: {"is":"integer"},
    synced: {"is":"integer"},
    total_ms: {"is":"number"}
  },
  Vote: {
    arm: {"is":"string","among":["keyword","exact","semantic","fact","entity","graph"]},
    rank: {"is":"integer","orNull":true},
    raw: {"is":"number"},
    raw_kind: {"is":"string","among":["bm25","share","cosine","mention weight","walk mass"]},
    weight: {"is":"number"},
    contribution: {"is":"number"},
    matched_terms: {"is":"list","each":[{"is":"string"}],"missing":[]},
    model: {"is":"string","missing":""}
  },
  Weight: {
    name: {"is":"string","among":["age","source","access","unwanted","surface"]},
    factor: {"is":"number"},
    detail: {"is":"string","missing":""}
  },
  Why: {
    arms: {"is":"list","each":[{"is":"record","of":"Vote"}]},
    fused: {"is":"number"},
    rerank: {"is":"number","orNull":true},
    weights: {"is":"list","each":[{"is":"record","of":"Weight"}]},
    final: {"is":"number"},
    rank: {"is":"integer"},
    relevance: {"is":"number","orNull":true},
    band: {"is":"string","among":["strong","moderate","weak","very-weak","keyword-only"]},
    places: {"is":"list","each":[{"is":"record","of":"Place"}]},
    provenance: {"is":"record","of":"Provenance"},
    freshness: {"is":"record","of":"Freshness"},
    rrf_rank: {"is":"integer","orNull":true,"missing":null}
  },
  Cause: {
    group: {"is":"string"},
    sentence: {"is":"string"},
    alone: {"is":"boolean"}
  },
  Difference: {
    group: {"is":"string"},
    constant: {"is":"string"},
    a: {"is":"string"},
    b: {"is":"string"}
  },
  Move: {
    id: {"is":"string"},
    title: {"is":"string"},
    uri: {"is":"string"},
    kind: {"is":"string","among":["up","down","same","entered","left"]},
    rank_a: {"is":"integer","orNull":true},
    rank_b: {"is":"integer","orNull":true},
    span: {"is":"record","of":"Span"},
    cause: {"is":"record","of":"Cause","orNull":true,"missing":null},
    steps: {"is":"list","each":[{"is":"record","of":"Step"}],"missing":[]}
  },
  Side: {
    profile: {"is":"string"},
    profile_hash: {"is":"string"},
    scale: {"is":"string","among":["evidence","rrf","minmax","weighted_max","rerank","signals","bm25","dense","surfaces","none"]},
    limit: {"is":"integer"},
    listed: {"is":"integer"},
    arms: {"is":"list","each":[{"is":"string","among":["keyword","exact","semantic","fact","entity","graph"]}],"missing":[]},
    reason: {"is":"string","orNull":true,"missing":null}
  },
  Step: {
    group: {"is":"string"},
    before: {"is":"integer","orNull":true},
    after: {"is":"integer","orNull":true}
  },
  Comparison: {
    query: {"is":"string"},
    a: {"is":"record","of":"Side"},
    b: {"is":"record","of":"Side"},
    moves: {"is":"list","each":[{"is":"record","of":"Move"}]},
    differences: {"is":"list","each":[{"is":"record","of":"Difference"}]},
    model: {"is":"string"},
    index_version: {"is":"integer"},
    now: {"is":"time"},
    correlation: {"is":"number","orNull":true,"missing":null},
    hints: {"is":"list","each":[{"is":"string"}],"missing":[]},
    degraded: {"is":"record","of":"Degraded"},
    share: {"is":"string","among":["full","snippets","titles","none"],"missing":"snippets"}
  }
};
