"use strict";(self.rspackChunkjupyter_memo=self.rspackChunkjupyter_memo||[]).push([[479],{6967(e,o,p){var t=p(1601),i=p.n(t),n=p(6314),r=(p.n(n))()(i());r.push([e.id,`/* two profiles side by side: what the figure of memo.css needs to be pointed at and gone through by keys */
.jp-Memo-slope {
  margin-top: 14px;
}
.jp-Memo-slope h4:first-child {
  text-align: right;
}
.jp-Memo-slope h4 {
  line-height: 18px;
  margin-bottom: 4px;
}
.jp-Memo-slope li {
  min-width: 0;
  border-radius: 2px;
  cursor: default;
}
.jp-Memo-slope li.jp-mod-self {
  background: var(--jp-Memo-veil);
}
.jp-Memo-slope li .jp-Memo-num {
  flex: none;
}
.jp-Memo-slope li .jp-Memo-move {
  flex: none;
}
.jp-Memo-slope li .jp-Memo-apart {
  flex: none;
  max-width: 50%;
  color: var(--jp-Memo-ink2);
}
.jp-Memo-slope svg {
  overflow: hidden;
}
.jp-Memo-slope path.jp-mod-self {
  stroke: var(--jp-Memo-accent);
  stroke-width: 3;
}
.jp-Memo-slope path.jp-Memo-hit,
.jp-Memo-slope path.jp-Memo-hit.jp-mod-self {
  stroke: transparent;
  stroke-width: 14;
  fill: none;
  pointer-events: stroke;
}
.jp-Memo-slopeKey {
  margin-top: 8px;
}
.jp-Memo-slopeKey svg {
  display: inline-block;
  vertical-align: middle;
}
.jp-Memo-told {
  min-height: 60px;
  margin-top: 10px;
  padding-left: 10px;
  border-left: 2px solid var(--jp-Memo-rule);
  overflow-wrap: anywhere;
}
.jp-Memo-told b {
  font-weight: 600;
  color: var(--jp-Memo-ink0);
}
.jp-Memo-told p + p {
  font-size: 12px;
  line-height: 18px;
  color: var(--jp-Memo-ink2);
}
.jp-Memo-told p:nth-child(3) {
  color: var(--jp-Memo-ink1);
}
.jp-Memo-different {
  margin-top: 10px;
  font-size: 12px;
  line-height: 18px;
  color: var(--jp-Memo-ink2);
}
.jp-Memo-different summary {
  width: fit-content;
}
.jp-Memo-told ~ .jp-Memo-keys {
  padding-left: 0;
}
`,""]),p.d(o,{},{A:r})},7918(e,o,p){var t=p(1601),i=p.n(t),n=p(6314),r=(p.n(n))()(i());r.push([e.id,`/* jupyter_memo: one style sheet for the cell output, the widget and the side panel.
   Every colour is declared once, as light-dark(); color-scheme alone decides the theme.
   Text is ink; colour marks arms (swatches and bars) and one accent. Nothing is told by colour alone. */

.jp-Memo {
  --jp-Memo-bg: var(--jp-layout-color0, light-dark(#fff, #111));
  --jp-Memo-ink0: var(--jp-ui-font-color0, light-dark(#000, #fff));
  --jp-Memo-ink1: var(--jp-ui-font-color1, light-dark(rgb(0 0 0 / .87), rgb(255 255 255 / .87)));
  --jp-Memo-ink2: light-dark(rgb(0 0 0 / .62), rgb(255 255 255 / .65));
  --jp-Memo-rule: var(--jp-border-color2, light-dark(#e0e0e0, #424242));
  --jp-Memo-edge: light-dark(#8a8a8a, #8c8c8c);
  --jp-Memo-accent: var(--jp-brand-color1, light-dark(#1976d2, #2196f3));
  --jp-Memo-link: var(--jp-content-link-color, light-dark(#0d47a1, #64b5f6));
  --jp-Memo-onAccent: light-dark(#fff, #0b1a26);
  --jp-Memo-warn: light-dark(#b25e00, #ffb74d);
  --jp-Memo-error: light-dark(#c62828, #ef9a9a);
  --jp-Memo-veil: color-mix(in srgb, var(--jp-Memo-ink0) 5%, transparent);

  --jp-Memo-keyword: light-dark(#1c3669, #5d7cc9);
  --jp-Memo-exact: light-dark(#1f92c0, #7bf2fc);
  --jp-Memo-semantic: light-dark(#c37d11, #fe9919);
  --jp-Memo-fact: light-dark(#136b1b, #6dc89d);
  --jp-Memo-entity: light-dark(#c33371, #c35b74);
  --jp-Memo-graph: light-dark(#7f3bb4, #c59bf5);

  container: memo / inline-size;
  color: var(--jp-Memo-ink1);
  font: 400 var(--jp-ui-font-size1, 13px)/20px var(--jp-ui-font-family, system-ui, -apple-system, 'Segoe UI', helvetica, arial, sans-serif);
  font-variant-numeric: tabular-nums;
  text-align: left;
}
[data-jp-theme-light='true'] .jp-Memo { color-scheme: light; }
[data-jp-theme-light='false'] .jp-Memo { color-scheme: dark; }

.jp-Memo *, .jp-Memo *::before, .jp-Memo *::after { box-sizing: border-box; }
.jp-Memo :where(p, h3, h4, h5, ol, ul, dl, dt, dd, pre, table) { margin: 0; padding: 0; font-weight: inherit; font-size: inherit; line-height: inherit; }
.jp-Memo :where(ol, ul) { list-style: none; }
.jp-Memo :where(a) { color: inherit; text-decoration: none; }
.jp-Memo a:hover { text-decoration: underline; text-underline-offset: 3px; }
.jp-Memo :where(code, kbd, pre) { font-family: var(--jp-code-font-family, menlo, consolas, 'DejaVu Sans Mono', monospace); font-size: 12px; background: none; padding: 0; border: 0; color: inherit; }
.jp-Memo svg { display: block; overflow: visible; }
.jp-Memo summary { cursor: pointer; }
.jp-Memo summary::marker { font-size: 10px; }
.jp-Memo :is(:focus-visible, .jp-mod-ring) { outline: 2px solid var(--jp-Memo-accent); outline-offset: 1px; border-radius: 2px; }
.jp-Memo-quiet { color: var(--jp-Memo-ink2); }
.jp-Memo-num { font-variant-numeric: tabular-nums; white-space: nowrap; }
.jp-Memo-sr { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

/* buttons: words first; a border only where a thing must look pressable */
.jp-Memo :where(button) { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
.jp-Memo-link { color: var(--jp-Memo-link); }
button.jp-Memo-link:hover { text-decoration: underline; text-underline-offset: 3px; }
.jp-Memo-button { border: 1px solid var(--jp-Memo-edge); border-radius: 3px; padding: 1px 10px; font-size: 12px; }
.jp-Memo-button:hover { background: var(--jp-Memo-veil); }
.jp-Memo-button.jp-mod-primary { background: var(--jp-Memo-link); border-color: var(--jp-Memo-link); color: var(--jp-Memo-onAccent); }
.jp-Memo :where(kbd) { font-size: 11px; line-height: 14px; border: 1px solid var(--jp-Memo-edge); border-radius: 2px; padding: 0 4px; color: var(--jp-Memo-ink2); }

/* head */
.jp-Memo-query { font-size: 16px; line-height: 24px; font-weight: 600; color: var(--jp-Memo-ink0); text-wrap: balance; letter-spacing: -.005em; }
.jp-Memo-query code { font-size: 13px; font-weight: 400; color: var(--jp-Memo-ink2); }
.jp-Memo-meta { display: flex; flex-wrap: wrap; gap: 0 14px; font-size: 12px; color: var(--jp-Memo-ink2); }
.jp-Memo-meta b { font-weight: 600; color: var(--jp-Memo-ink1); }
.jp-Memo-badge::before { content: ''; display: inline-block; width: 8px; height: 8px; margin-right: 5px; border-radius: 50%; border: 1.5px solid var(--jp-Memo-ink2); background: linear-gradient(90deg, var(--jp-Memo-ink2) 50%, transparent 50%); }
.jp-Memo-badge.jp-mod-degraded { color: var(--jp-Memo-warn); font-weight: 600; }
.jp-Memo-badge.jp-mod-degraded::before { border-color: currentcolor; background: none; border-style: dashed; }

/* filters */
.jp-Memo-filters { display: flex; flex-wrap: wrap; gap: 4px 16px; margin-top: 10px; font-size: 12px; }
.jp-Memo-facet { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 4px; }
.jp-Memo-facetName { color: var(--jp-Memo-ink2); margin-right: 4px; }
.jp-Memo-chip { padding: 0 5px; border-radius: 3px; background: var(--jp-Memo-veil); }
.jp-Memo-chip i { font-style: normal; color: var(--jp-Memo-ink2); }
.jp-Memo-chip:hover { background: color-mix(in srgb, var(--jp-Memo-ink0) 11%, transparent); }
.jp-Memo-chip[aria-pressed='false'] { background: none; color: var(--jp-Memo-ink2); text-decoration: line-through; }
.jp-Memo-chip.jp-mod-query { background: none; box-shadow: inset 0 0 0 1px var(--jp-Memo-accent); color: var(--jp-Memo-link); }
.jp-Memo-months { display: inline-flex; align-items: flex-end; gap: 1px; height: 14px; margin: 0 2px; }
.jp-Memo-months i { width: 7px; min-height: 1px; height: calc(var(--v) * 14px); background: var(--jp-Memo-edge); }

/* arms: swatch + letter + word, always in this order */
.jp-Memo-arm { white-space: nowrap; }
.jp-Memo .jp-mod-keyword { --c: var(--jp-Memo-keyword); }
.jp-Memo .jp-mod-exact { --c: var(--jp-Memo-exact); }
.jp-Memo .jp-mod-semantic { --c: var(--jp-Memo-semantic); }
.jp-Memo .jp-mod-fact { --c: var(--jp-Memo-fact); }
.jp-Memo .jp-mod-entity { --c: var(--jp-Memo-entity); }
.jp-Memo .jp-mod-graph { --c: var(--jp-Memo-graph); }
.jp-Memo-swatch { display: inline-block; width: 9px; height: 9px; border-radius: 1px; background: var(--c); margin-right: 5px; }
.jp-mod-off .jp-Memo-swatch { background: none; box-shadow: inset 0 0 0 1px var(--jp-Memo-edge); }
.jp-Memo-legend { display: flex; flex-wrap: wrap; gap: 0 14px; margin-top: 12px; padding-bottom: 5px; border-bottom: 1px solid var(--jp-Memo-rule); font-size: 11px; line-height: 18px; color: var(--jp-Memo-ink2); }
.jp-Memo-legend b { font-weight: 600; color: var(--jp-Memo-ink1); }
.jp-Memo-legendKey { margin-left: auto; }

/* list */
.jp-Memo-row { position: relative; display: grid; grid-template-columns: 22px minmax(0, 1fr) 204px; column-gap: 14px; padding: 10px 8px 9px 0; border-bottom: 1px solid var(--jp-Memo-rule); }
.jp-Memo-row:hover { background: color-mix(in srgb, var(--jp-Memo-ink0) 3%, transparent); }
.jp-Memo-row[aria-current] { background: color-mix(in srgb, var(--jp-Memo-accent) 6%, transparent); }
.jp-Memo-row:has(> .jp-Memo-open) { background: none; }
.jp-Memo-row[aria-current]::before { content: ''; position: absolute; inset: 0 auto 0 0; width: 2px; background: var(--jp-Memo-accent); }
.jp-Memo-row:focus-visible { outline-offset: -2px; }
.jp-Memo-rank { text-align: right; color: var(--jp-Memo-ink2); }
.jp-Memo-title { font-size: var(--jp-content-font-size1, 14px); font-weight: 600; color: var(--jp-Memo-ink0); text-wrap: pretty; }
.jp-Memo-where { display: flex; flex-wrap: wrap; gap: 0 10px; font-size: 12px; line-height: 18px; color: var(--jp-Memo-ink2); }
.jp-Memo-path { min-width: 0; overflow-wrap: anywhere; }
.jp-Memo-loc { color: var(--jp-Memo-ink1); white-space: nowrap; }
.jp-Memo-snippet { margin-top: 4px; max-width: 78ch; text-wrap: pretty; overflow-wrap: anywhere; }
pre.jp-Memo-snippet { white-space: pre-wrap; line-height: 18px; }
.jp-Memo mark { color: inherit; font-weight: 600; background: linear-gradient(transparent 58%, color-mix(in srgb, var(--jp-Memo-accent) 30%, transparent) 0); }
.jp-Memo-alias { text-decoration: underline dotted 1px; text-underline-offset: 3px; }

/* band: a word and four steps */
.jp-Memo-band { white-space: nowrap; color: var(--jp-Memo-ink2); }
.jp-Memo-steps { display: inline-flex; align-items: flex-end; gap: 1.5px; height: 10px; margin-right: 5px; }
.jp-Memo-steps i { width: 3px; height: calc(4px + var(--n) * 2px); box-shadow: inset 0 0 0 1px var(--jp-Memo-edge); }
.jp-Memo-steps i.on { background: var(--jp-Memo-ink1); box-shadow: none; }

/* why, in one glance: score, stacked bar on the scale of the first result, rank in each arm */
.jp-Memo-why { display: grid; grid-template-columns: 1fr; align-content: start; gap: 3px; font-size: 12px; }
.jp-Memo-score { display: flex; justify-content: space-between; align-items: baseline; line-height: 20px; }
.jp-Memo-score b { font-weight: 600; font-size: 13px; color: var(--jp-Memo-ink0); }
.jp-Memo-bar { display: flex; gap: 1px; height: 6px; width: 100%; background: linear-gradient(var(--jp-Memo-rule), var(--jp-Memo-rule)) 0 100% / 100% 1px no-repeat; }
.jp-Memo-bar i { flex: none; height: 100%; width: calc(var(--v) * 100% - 1px); background: var(--c); }
.jp-Memo-bar i:first-child { border-radius: 1px 0 0 1px; }
.jp-Memo-ranks { display: grid; grid-template-columns: repeat(6, 1fr); font-size: 11px; line-height: 15px; color: var(--jp-Memo-ink2); }
.jp-Memo-ranks span { white-space: nowrap; }
.jp-Memo-ranks b { font-weight: 600; color: var(--jp-Memo-ink1); margin-left: 2px; }
.jp-Memo-ranks .none { color: var(--jp-Memo-edge); }

.jp-Memo-actions { display: flex; flex-wrap: wrap; gap: 4px 12px; line-height: 18px; margin-top: 3px; opacity: 0; }
.jp-Memo-row:is(:hover, :focus-within, :focus, [aria-current]) .jp-Memo-actions { opacity: 1; }
@media (pointer: coarse) { .jp-Memo-actions { opacity: 1; } }
.jp-Memo-actions button { color: var(--jp-Memo-link); }
.jp-Memo-grade { display: inline-flex; flex-basis: 100%; gap: 2px; align-items: baseline; color: var(--jp-Memo-ink2); }
.jp-Memo-grade button { min-width: 18px; border-radius: 2px; box-shadow: inset 0 0 0 1px var(--jp-Memo-rule); }
.jp-Memo-grade button[aria-checked='true'] { background: var(--jp-Memo-link); color: var(--jp-Memo-onAccent); box-shadow: none; }
.jp-Memo-fold { grid-column: 2; margin-top: 3px; font-size: 12px; line-height: 18px; color: var(--jp-Memo-ink2); }
.jp-Memo-fold li { display: flex; flex-wrap: wrap; gap: 0 10px; padding-left: 14px; }
.jp-Memo-fold li > * { min-width: 0; overflow-wrap: anywhere; }
.jp-Memo-fold li .jp-Memo-num { margin-left: auto; white-space: normal; }
.jp-Memo-end { padding: 10px 8px 2px 36px; font-size: 12px; color: var(--jp-Memo-ink2); text-wrap: pretty; }
.jp-Memo-end b { font-weight: 600; color: var(--jp-Memo-ink1); }
.jp-Memo-keys { margin-top: 8px; padding-left: 36px; font-size: 11px; color: var(--jp-Memo-ink2); display: flex; flex-wrap: wrap; gap: 2px 14px; }
.jp-Memo-keys kbd { margin-right: 1px; }

/* explain */
.jp-Memo-open { grid-column: 2 / -1; display: grid; grid-template-columns: minmax(0, 1fr) 250px; gap: 18px 28px; margin-top: 12px; padding-bottom: 6px; }
.jp-Memo-label { font-size: 12px; line-height: 18px; font-weight: 600; color: var(--jp-Memo-ink2); margin-bottom: 4px; }
.jp-Memo-wide { grid-column: 1 / -1; }
.jp-Memo :where(table) { border-collapse: collapse; width: 100%; font-size: 12px; line-height: 18px; background: none; }
.jp-Memo :where(th, td) { padding: 3px 0 3px 14px; text-align: right; vertical-align: baseline; border: 0; background: none; font-weight: 400; }
.jp-Memo :where(th, td):where(:first-child) { padding-left: 0; text-align: left; }
.jp-Memo :where(thead th) { color: var(--jp-Memo-ink2); font-size: 11px; padding-top: 0; border-bottom: 1px solid var(--jp-Memo-rule); }
.jp-Memo :where(tbody tr + tr > *) { border-top: 1px solid color-mix(in srgb, var(--jp-Memo-rule) 55%, transparent); }
.jp-Memo :where(tfoot :is(th, td)) { border-top: 1px solid var(--jp-Memo-edge); font-weight: 600; color: var(--jp-Memo-ink0); }
.jp-Memo-text { text-align: left; }
.jp-Memo tr.jp-mod-off > * { color: var(--jp-Memo-ink2); }
.jp-Memo-sum { display: flex; flex-wrap: wrap; gap: 24px 7px; align-items: flex-start; font-size: 13px; line-height: 18px; }
.jp-Memo-term { display: inline-grid; justify-items: stretch; font-weight: 600; color: var(--jp-Memo-ink0); border-bottom: 3px solid var(--c, transparent); padding-bottom: 2px; }
.jp-Memo-termName { font-size: 11px; line-height: 14px; font-weight: 400; color: var(--jp-Memo-ink2); order: 2; padding-top: 3px; margin-bottom: -20px; }
.jp-Memo-op { color: var(--jp-Memo-ink2); }
.jp-Memo-sum { padding-bottom: 18px; }
.jp-Memo-ladder { display: grid; grid-template-columns: repeat(4, 1fr); }
.jp-Memo-rung { font-size: 11px; line-height: 15px; color: var(--jp-Memo-ink2); padding-right: 6px; }
.jp-Memo-rung b { display: block; font-size: 20px; line-height: 26px; font-weight: 600; color: var(--jp-Memo-ink0); }
.jp-Memo-rung.jp-mod-off b { color: var(--jp-Memo-edge); font-weight: 400; }
.jp-Memo-facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 14px; font-size: 12px; line-height: 18px; }
.jp-Memo-facts dt { color: var(--jp-Memo-ink2); }
.jp-Memo-facts dd { overflow-wrap: anywhere; }

/* a sentence under a figure */
.jp-Memo-aside { font-size: 12px; line-height: 18px; margin-top: 8px; color: var(--jp-Memo-ink2); }

/* trace */
.jp-Memo-trace { margin-top: 22px; }
.jp-Memo-section { font-size: 14px; font-weight: 600; color: var(--jp-Memo-ink0); margin: 0 0 8px; }
.jp-Memo-funnel { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); margin-bottom: 16px; }
.jp-Memo-funnel li { padding-right: 10px; font-size: 11px; line-height: 15px; color: var(--jp-Memo-ink2); }
.jp-Memo-funnel b { display: block; font-size: 18px; line-height: 24px; font-weight: 600; color: var(--jp-Memo-ink0); letter-spacing: -.01em; }
.jp-Memo-funnel i { display: block; height: 28px; margin: 0 -10px 6px 0; background: color-mix(in srgb, var(--jp-Memo-ink0) 22%, transparent); clip-path: polygon(0 calc(100% - var(--a) * 100%), 100% calc(100% - var(--b) * 100%), 100% 100%, 0 100%); }
.jp-Memo-water { table-layout: fixed; }
.jp-Memo-water col:nth-child(1) { width: 118px; } .jp-Memo-water col:nth-child(2) { width: 66px; } .jp-Memo-water col:nth-child(3) { width: 66px; } .jp-Memo-water col:nth-child(4) { width: 56px; }
.jp-Memo-water thead th { vertical-align: bottom; }
.jp-Memo-water tbody :is(th, td) { padding-top: 1px; padding-bottom: 1px; vertical-align: middle; border: 0; }
.jp-Memo-water td { white-space: nowrap; }
.jp-Memo-water td:nth-child(5) { padding-right: 4px; }
.jp-Memo-lane { position: relative; height: 18px; background: repeating-linear-gradient(90deg, var(--jp-Memo-rule) 0 1px, transparent 1px calc(100% / 8)); }
.jp-Memo-lane i { position: absolute; top: 5px; height: 8px; left: calc(var(--x) * 100%); width: max(2px, calc(var(--w) * 100%)); background: var(--c, var(--jp-Memo-edge)); border-radius: 1px; }
.jp-Memo-lane i + i { opacity: .55; }
.jp-Memo-lane span { position: absolute; left: calc((var(--x) + var(--w)) * 100% + 6px); white-space: nowrap; font-size: 11px; color: var(--jp-Memo-ink2); background: var(--jp-Memo-bg); padding-right: 4px; line-height: 18px; }
.jp-Memo-lane span.left { left: auto; right: calc((1 - var(--x)) * 100% + 6px); padding: 0 0 0 4px; }
.jp-Memo-axis { position: relative; height: 16px; font-size: 11px; color: var(--jp-Memo-ink2); }
.jp-Memo-axis span { position: absolute; left: calc(var(--x) * 100%); transform: translateX(-1px); line-height: 15px; }
.jp-Memo-sub > :first-child { padding-left: 10px; }
.jp-Memo-pair { display: grid; grid-template-columns: 1fr 1fr; gap: 20px 36px; margin-top: 20px; }

/* what-if */
.jp-Memo-lab { display: grid; grid-template-columns: 270px minmax(0, 1fr); gap: 16px 32px; margin-top: 12px; }
.jp-Memo-slider { display: grid; grid-template-columns: 92px minmax(0, 1fr) 34px; align-items: center; gap: 0 10px; font-size: 12px; line-height: 18px; padding: 3px 0; }
.jp-Memo-slider output { text-align: right; }
.jp-Memo-slider small { grid-column: 2 / -1; font-size: 11px; line-height: 14px; color: var(--jp-Memo-ink2); }
.jp-Memo-slider.jp-mod-moved output { font-weight: 700; color: var(--jp-Memo-ink0); }
.jp-Memo-range { position: relative; display: block; height: 18px; }
.jp-Memo-range::after { content: ''; position: absolute; left: calc(6px + (100% - 12px) * var(--d)); top: 3px; width: 1px; height: 12px; background: var(--jp-Memo-ink2); pointer-events: none; }
.jp-Memo input[type='range'] { appearance: none; width: 100%; height: 18px; margin: 0; background: linear-gradient(var(--jp-Memo-edge), var(--jp-Memo-edge)) 0 50% / 100% 2px no-repeat; }
.jp-Memo input[type='range']::-webkit-slider-thumb { appearance: none; width: 12px; height: 12px; border-radius: 50%; background: var(--jp-Memo-bg); border: 2px solid var(--jp-Memo-edge); position: relative; z-index: 1; }
.jp-Memo input[type='range']::-moz-range-thumb { width: 8px; height: 8px; border-radius: 50%; background: var(--jp-Memo-bg); border: 2px solid var(--jp-Memo-edge); }
.jp-mod-moved input[type='range']::-webkit-slider-thumb { background: var(--jp-Memo-accent); border-color: var(--jp-Memo-accent); }
.jp-mod-moved input[type='range']::-moz-range-thumb { background: var(--jp-Memo-accent); border-color: var(--jp-Memo-accent); }
.jp-Memo-move { white-space: nowrap; font-size: 12px; color: var(--jp-Memo-ink2); }
.jp-Memo-move b { font-weight: 600; color: var(--jp-Memo-ink0); }
.jp-Memo-line { display: grid; grid-template-columns: 22px 34px minmax(0, 1fr) 150px 54px; gap: 0 10px; align-items: center; padding: 6px 0; border-bottom: 1px solid var(--jp-Memo-rule); }
.jp-Memo-line .jp-Memo-cause { font-size: 11px; line-height: 15px; color: var(--jp-Memo-ink2); display: block; }
.jp-Memo-line > .jp-Memo-num { text-align: right; }
.jp-Memo-line.jp-mod-out { color: var(--jp-Memo-ink2); }
.jp-Memo-ell { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; display: block; }
.jp-Memo-copy { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 10px; margin-top: 14px; }
.jp-Memo-copy code { flex: 1 1 100%; padding: 5px 10px; background: var(--jp-Memo-veil); border-radius: 3px; overflow-wrap: anywhere; }
.jp-Memo-slope { display: grid; grid-template-columns: minmax(0, 1fr) 150px minmax(0, 1fr); font-size: 12px; line-height: 26px; }
.jp-Memo-slope h4 { font-weight: 600; color: var(--jp-Memo-ink0); }
.jp-Memo-slope h4 span { font-weight: 400; color: var(--jp-Memo-ink2); }
.jp-Memo-slope li { display: flex; justify-content: flex-end; gap: 8px; height: 26px; }
.jp-Memo-slope li .jp-Memo-num { color: var(--jp-Memo-ink2); min-width: 16px; text-align: right; }
.jp-Memo-slope ol:last-child li { justify-content: flex-start; }
.jp-Memo-slope svg { width: 100%; height: 100%; }
.jp-Memo-up { stroke: var(--jp-Memo-accent); stroke-width: 2; fill: none; }
.jp-Memo-down { stroke: var(--jp-Memo-ink2); stroke-width: 1.25; stroke-dasharray: 4 3; fill: none; }
.jp-Memo-same { stroke: var(--jp-Memo-edge); stroke-width: 1; fill: none; }
.jp-Memo-self { stroke: var(--jp-Memo-accent); stroke-width: 2.5; fill: none; }

/* notices */
.jp-Memo-note { display: grid; grid-template-columns: 14px minmax(0, 1fr); gap: 0 8px; margin: 10px 0 0; font-size: 12px; line-height: 18px; }
.jp-Memo-note::before { content: '!'; width: 14px; height: 14px; margin-top: 2px; border: 1.5px solid var(--jp-Memo-warn); border-radius: 50%; color: var(--jp-Memo-warn); font-size: 10px; line-height: 11px; font-weight: 700; text-align: center; }
.jp-Memo-note.jp-mod-info::before { content: 'i'; border-color: var(--jp-Memo-ink2); color: var(--jp-Memo-ink2); }
.jp-Memo-note.jp-mod-error::before { content: '\xd7'; border-color: var(--jp-Memo-error); color: var(--jp-Memo-error); border-radius: 2px; }
.jp-Memo-note b { font-weight: 600; color: var(--jp-Memo-ink0); }
.jp-Memo-void { font-size: 14px; line-height: 22px; margin-top: 12px; max-width: 68ch; text-wrap: pretty; color: var(--jp-Memo-ink0); }
.jp-Memo-help { margin-top: 10px; font-size: 12px; display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 3px 14px; line-height: 18px; max-width: 92ch; }
.jp-Memo-help dt { color: var(--jp-Memo-ink2); }
.jp-Memo-more { margin-top: 12px; font-size: 12px; color: var(--jp-Memo-ink2); }
.jp-Memo-more table { margin-top: 6px; max-width: 640px; }
.jp-Memo-busy { height: 2px; margin-top: 10px; background: var(--jp-Memo-rule); overflow: hidden; }
.jp-Memo-busy i { display: block; height: 100%; width: calc(var(--v) * 100%); background: var(--jp-Memo-accent); }

/* side panel */
.jp-Memo-panel { --jp-Memo-bg: var(--jp-layout-color1, light-dark(#fff, #212121)); display: flex; flex-direction: column; min-height: 100%; background: var(--jp-Memo-bg); padding: 10px 12px 8px; }
.jp-Memo-field { display: flex; align-items: center; gap: 6px; border: 1px solid var(--jp-Memo-edge); border-radius: 3px; padding: 3px 8px; background: var(--jp-Memo-bg); }
.jp-Memo-field:focus-within, .jp-Memo-field.jp-mod-focus { border-color: var(--jp-Memo-accent); box-shadow: inset 0 0 0 1px var(--jp-Memo-accent); }
.jp-Memo-field input { flex: 1; min-width: 0; font: inherit; color: inherit; border: 0; background: none; outline: none; padding: 2px 0; }
.jp-Memo-field input::placeholder { color: var(--jp-Memo-ink2); }
.jp-Memo-hints { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 1px 12px; margin-top: 8px; font-size: 12px; line-height: 18px; }
.jp-Memo-hints dd { color: var(--jp-Memo-ink2); }
.jp-Memo-panel .jp-Memo-label { margin: 16px 0 3px; }
.jp-Memo-recent li { display: flex; justify-content: space-between; gap: 10px; font-size: 12px; line-height: 22px; }
.jp-Memo-recent .jp-Memo-num { color: var(--jp-Memo-ink2); }
.jp-Memo-panel .jp-Memo-row { grid-template-columns: 14px minmax(0, 1fr); column-gap: 8px; padding: 8px 0 7px; }
.jp-Memo-panel .jp-Memo-row[aria-current] { margin: 0 -12px; padding-left: 12px; padding-right: 12px; }
.jp-Memo-panel .jp-Memo-title { font-size: 13px; line-height: 18px; }
.jp-Memo-panel .jp-Memo-snippet { font-size: 12px; line-height: 17px; margin-top: 2px; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.jp-Memo-panel .jp-Memo-actions { opacity: 1; }
.jp-Memo-panel .jp-Memo-why { margin-top: 3px; gap: 2px; }
.jp-Memo-panel .jp-Memo-end { padding: 8px 0 0 22px; }
.jp-Memo-panel .jp-Memo-legend { border: 0; gap: 0 10px; margin-top: 8px; padding-left: 22px; }
.jp-Memo-status { margin-top: auto; padding-top: 14px; font-size: 12px; line-height: 18px; color: var(--jp-Memo-ink2); }
.jp-Memo-status b { font-weight: 600; color: var(--jp-Memo-ink1); }
.jp-Memo-statusLine { display: flex; justify-content: space-between; gap: 10px; border-top: 1px solid var(--jp-Memo-rule); padding-top: 6px; }
.jp-Memo-skip { margin-top: 4px; }
.jp-Memo-skip li { padding: 3px 0 3px 14px; }
.jp-Memo-skip li b { display: block; font-weight: 400; overflow-wrap: anywhere; }

/* narrow: the reasons move under the text; nothing is dropped */
@container memo (max-width: 640px) {
  .jp-Memo-row { grid-template-columns: 16px minmax(0, 1fr); column-gap: 10px; padding-right: 0; }
  .jp-Memo-why { grid-column: 2; margin-top: 6px; max-width: 420px; }
  .jp-Memo-legendKey { margin-left: 0; }
  .jp-Memo-open { grid-column: 1 / -1; grid-template-columns: minmax(0, 1fr); }
  .jp-Memo-row > .jp-Memo-open { padding-left: 12px; }
  .jp-Memo-actions { display: none; }
  .jp-Memo-row:is(:focus, :focus-within, [aria-current]) .jp-Memo-actions { display: flex; }
  .jp-Memo-pair, .jp-Memo-lab { grid-template-columns: minmax(0, 1fr); }
  .jp-Memo-end, .jp-Memo-keys { padding-left: 26px; }
  .jp-Memo-funnel { grid-template-columns: repeat(3, minmax(0, 1fr)); row-gap: 12px; }
  .jp-Memo-funnel i { display: none; }
  .jp-Memo-water, .jp-Memo-water :is(thead, tbody, tfoot) { display: block; }
  .jp-Memo-water colgroup { display: none; }
  .jp-Memo-water tr { display: grid; grid-template-columns: minmax(0, 1fr) 48px 64px 44px; }
  .jp-Memo-water :is(th, td):nth-child(5) { grid-column: 1 / -1; padding: 0 0 5px; }
  .jp-Memo-lane { height: auto; padding-top: 8px; background: none; text-align: left; }
  .jp-Memo-lane i { top: 1px; height: 5px; }
  .jp-Memo-lane span, .jp-Memo-lane span.left { position: static; display: block; padding: 0; line-height: 14px; white-space: normal; background: none; }
  .jp-Memo :where(th, td) { padding-left: 8px; }
  .jp-Memo :where(th, td):where(:first-child) { padding-left: 0; }
  .jp-Memo-text { overflow-wrap: anywhere; }
  .jp-Memo-votes .jp-Memo-text { overflow-wrap: normal; }
  .jp-Memo-hideNarrow { display: none; }
  .jp-Memo-line { grid-template-columns: 16px 34px minmax(0, 1fr) 48px; gap: 0 8px; }
  .jp-Memo-line .jp-Memo-bar { grid-column: 3; grid-row: 2; }
  .jp-Memo-slope { grid-template-columns: minmax(0, 1fr) 56px minmax(0, 1fr); font-size: 11px; }
  .jp-Memo-help { grid-template-columns: minmax(0, 1fr); }
  .jp-Memo-help dd { margin-bottom: 4px; }
}

@media (prefers-reduced-motion: no-preference) {
  .jp-Memo-actions { transition: opacity 80ms linear; }
  .jp-Memo-bar i, .jp-Memo-busy i { transition: width 120ms ease-out; }
}
@media (forced-colors: active) {
  .jp-Memo-bar i, .jp-Memo-swatch, .jp-Memo-steps i.on, .jp-Memo-lane i { forced-color-adjust: none; }
}
`,""]),p.d(o,{},{A:r})},5724(e,o,p){var t=p(1601),i=p.n(t),n=p(6314),r=(p.n(n))()(i());r.push([e.id,`/* the side panel: what it has beyond memo.css */
.jp-MemoSide {
  display: flex;
  flex-direction: column;
  overflow: hidden;
  background: var(--jp-layout-color1);
}
#jp-left-stack > #jupyter-memo-panel,
#jp-right-stack > #jupyter-memo-panel {
  min-width: 300px;
}
.jp-MemoPanel {
  display: flex;
  flex: 1;
  min-height: 0;
}
.jp-MemoPanel > .jp-Memo-panel {
  flex: 1;
  min-width: 0;
  min-height: 0;
  padding: 10px 0 0;
}
.jp-Memo-panel .jp-Memo {
  --jp-Memo-bg: inherit;
}
.jp-MemoPanel :is(.jp-Memo-top, .jp-Memo-said, .jp-Memo-status) {
  flex: none;
  padding-left: 12px;
  padding-right: 12px;
}
.jp-Memo-scroll {
  flex: 1;
  min-height: 0;
  overflow: hidden auto;
  padding: 0 12px 12px;
}
.jp-Memo-scroll > :empty {
  display: none;
}
.jp-Memo-said:empty {
  display: none;
}
.jp-Memo-said {
  padding-top: 4px;
}
.jp-Memo-said .jp-Memo-note {
  margin-top: 2px;
}

/* the box */
.jp-Memo-box {
  position: relative;
}
.jp-Memo.jp-MemoPanel h2.jp-Memo-sr {
  margin: -1px;
}
.jp-Memo-panel .jp-Memo-field input::-webkit-search-cancel-button {
  display: none;
}
.jp-Memo-clear {
  width: 18px;
  color: var(--jp-Memo-ink2);
}
.jp-Memo-field:has(input:placeholder-shown) .jp-Memo-clear {
  display: none;
}
.jp-Memo-by {
  display: flex;
  flex-wrap: wrap;
  gap: 0 14px;
  margin-top: 4px;
  font-size: 12px;
  color: var(--jp-Memo-ink2);
}
.jp-Memo-choose {
  max-width: 120px;
  field-sizing: content;
  border: 0;
  padding: 0 2px;
  font: inherit;
  color: var(--jp-Memo-ink1);
  background: var(--jp-Memo-bg);
}
.jp-Memo-busy.jp-mod-waiting {
  flex: none;
  margin: 4px 12px 0;
}
.jp-Memo-busy.jp-mod-waiting i {
  width: 30%;
}
@media (prefers-reduced-motion: no-preference) {
  .jp-Memo-busy.jp-mod-waiting i {
    animation: jp-Memo-going 1.2s ease-in-out infinite alternate;
  }
}
@keyframes jp-Memo-going {
  to {
    transform: translateX(233%);
  }
}

.jp-Memo-scroll > .jp-Memo-meta {
  margin-top: 6px;
}

/* at rest */
.jp-Memo-panel :is(.jp-Memo-hints, .jp-Memo-recent) button {
  min-width: 0;
  text-align: left;
}
.jp-Memo-panel :is(.jp-Memo-hints, .jp-Memo-recent) button:hover {
  text-decoration: underline;
  text-underline-offset: 3px;
}
.jp-Memo-scopes .jp-Memo-filters {
  margin-top: 2px;
  gap: 4px;
}
.jp-Memo-scopes .jp-Memo-chip[aria-pressed="false"] {
  color: inherit;
  text-decoration: none;
  background: var(--jp-Memo-veil);
}
.jp-Memo-scopes .jp-Memo-chip[aria-pressed="true"] {
  background: none;
  box-shadow: inset 0 0 0 1px var(--jp-Memo-accent);
  color: var(--jp-Memo-link);
}
.jp-Memo-dates {
  display: flex;
  flex-wrap: wrap;
  align-items: flex-end;
  gap: 0 8px;
  font-size: 12px;
}
.jp-Memo-dates .jp-Memo-quiet {
  white-space: nowrap;
}
.jp-Memo-scopes .jp-Memo-month[aria-pressed="false"] i {
  background: var(--jp-Memo-edge);
  box-shadow: none;
}
.jp-Memo-scopes .jp-Memo-month[aria-pressed="true"] i {
  background: var(--jp-Memo-accent);
}
.jp-MemoFilters {
  margin-top: 6px;
}
.jp-MemoFilters .jp-Memo-label {
  margin-top: 8px;
}

/* results: the box says the query already */
.jp-MemoResults {
  margin-top: 6px;
}
.jp-MemoResults .jp-Memo-query {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.jp-MemoResults .jp-Memo-head .jp-Memo-meta > :is(:nth-child(4), :nth-child(5)) {
  display: none;
}
.jp-MemoResults > .jp-Memo {
  display: flex;
  flex-direction: column;
}
.jp-MemoResults > .jp-Memo > :is(.jp-Memo-legend, .jp-Memo-keys) {
  order: 1;
}
.jp-MemoResults .jp-Memo-filters {
  margin-top: 4px;
}
.jp-MemoResults .jp-Memo-facet:not([aria-label="kind"], [aria-label="from the query"]) {
  display: none;
}
.jp-MemoResults .jp-Memo-open {
  grid-column: 1 / -1;
}
/* the legend below the list says it once: there is no room for it in every table */
.jp-MemoResults .jp-Memo-open tr.jp-mod-off {
  display: none;
}
.jp-MemoResults .jp-Memo-row > .jp-Memo-open {
  padding-left: 0;
}
.jp-MemoResults .jp-Memo-list {
  margin-top: 6px;
}
.jp-MemoResults :is(.jp-Memo-path, .jp-Memo-fold li button) {
  overflow: hidden;
  max-width: 100%;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.jp-MemoResults .jp-Memo.jp-Memo pre.jp-Memo-snippet {
  -webkit-line-clamp: 5;
  overflow: hidden;
}
.jp-MemoResults .jp-Memo-rank {
  cursor: grab;
}
.jp-MemoDragged {
  container: none;
  width: max-content;
  max-width: 260px;
  padding: 4px 10px;
  border: 1px solid var(--jp-Memo-accent);
  border-radius: 3px;
  background: var(--jp-layout-color1);
  opacity: 0.9;
}

/* pulled wide, the panel has three columns, as a cell has */
@container memo (min-width: 640.02px) {
  .jp-MemoResults .jp-Memo-row {
    grid-template-columns: 22px minmax(0, 1fr) 204px;
    column-gap: 14px;
  }
  .jp-MemoResults .jp-Memo-actions {
    opacity: 0;
  }
  .jp-MemoResults .jp-Memo-row:is(:hover, :focus-within, :focus, [aria-current]) .jp-Memo-actions {
    opacity: 1;
  }
  .jp-MemoResults .jp-Memo-open {
    grid-column: 2 / -1;
  }
  .jp-MemoResults :is(.jp-Memo-end, .jp-Memo-legend) {
    padding-left: 36px;
  }
}
@container memo (max-width: 340px) {
  .jp-Memo-hideSmall {
    display: none;
  }
}

/* welcome, and what runs where */
.jp-Memo-welcome {
  margin-top: 20px;
  display: grid;
  gap: 10px;
  font-size: 12px;
  line-height: 18px;
}
.jp-Memo-welcome .jp-Memo-void {
  margin: 0;
  font-weight: 600;
}
.jp-Memo-welcome .jp-Memo-button {
  padding: 4px 14px;
  font-size: 13px;
}
.jp-Memo-about {
  max-height: 50vh;
  overflow: auto;
  padding-bottom: 10px;
}
.jp-Memo-about .jp-Memo-tools {
  margin-top: 8px;
}

/* the foot */
.jp-MemoPanel .jp-Memo-status {
  margin-top: 0;
  padding-top: 0;
  padding-bottom: 8px;
  border-top: 1px solid var(--jp-Memo-rule);
}
.jp-MemoPanel .jp-Memo-statusLine {
  border-top: 0;
}
.jp-MemoPanel .jp-Memo-statusLine .jp-Memo-tools {
  flex: none;
  flex-wrap: nowrap;
}
.jp-MemoPanel .jp-Memo-job {
  max-height: 45vh;
  overflow: auto;
}
.jp-MemoPanel .jp-Memo-job .jp-Memo-busy {
  margin: 8px 0 6px;
}
.jp-MemoPanel .jp-Memo-job .jp-Memo-tools {
  margin: 8px 0;
}

/* what was gone to lights up for a moment */
.jp-Memo-flash {
  animation: jp-Memo-flash 1.6s ease-out;
}
@keyframes jp-Memo-flash {
  0%,
  40% {
    background-color: color-mix(in srgb, var(--jp-brand-color1, #1976d2) 24%, transparent);
  }
}
`,""]),p.d(o,{},{A:r})},2187(e,o,p){var t=p(1601),i=p.n(t),n=p(6314),r=(p.n(n))()(i());r.push([e.id,`/* What the drawn view needs beyond memo.css: things that the static reference pages do not have. */
.jp-MemoOutput {
  padding: 8px 0 4px;
}
.jp-Memo.jp-Memo [hidden] {
  display: none;
}
.jp-Memo-title button {
  font: inherit;
  text-align: left;
}
.jp-Memo-title button:hover {
  text-decoration: underline;
  text-underline-offset: 3px;
}
.jp-Memo-section:focus {
  width: fit-content;
}
.jp-Memo-facts + .jp-Memo-label,
.jp-Memo-open table + .jp-Memo-label {
  margin-top: 14px;
}
.jp-Memo-trace + .jp-Memo-keys {
  margin-top: 16px;
}
.jp-Memo-plain {
  margin-top: 10px;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
.jp-Memo-grade button {
  margin-left: 2px;
}

/* months are pressed like chips: the button is as high as a chip, the bar inside says how many */
.jp-Memo-months {
  height: 18px;
  align-items: stretch;
}
.jp-Memo-months > i {
  align-self: flex-end;
  width: 9px;
}
.jp-Memo-month {
  display: flex;
  align-items: flex-end;
  width: 9px;
  padding: 2px 0 0;
  border-radius: 1px;
}
.jp-Memo-month i {
  width: 100%;
}
.jp-Memo-month:hover {
  background: var(--jp-Memo-veil);
}
.jp-Memo-month[aria-pressed="false"] i {
  background: none;
  box-shadow: inset 0 0 0 1px var(--jp-Memo-edge);
  min-height: 3px;
}

/* from votes to rank */
.jp-Memo-open svg {
  overflow: visible;
  margin-bottom: 4px;
}
.jp-Memo-open svg text {
  font-size: 11px;
  fill: currentcolor;
  opacity: 0.65;
}
.jp-Memo-open svg text.jp-mod-self {
  opacity: 1;
  font-weight: 600;
}
.jp-Memo-open svg circle {
  fill: var(--jp-Memo-accent);
}
.jp-Memo-open svg circle.jp-mod-hollow {
  fill: var(--jp-Memo-bg);
  stroke: var(--jp-Memo-accent);
  stroke-width: 1.5;
}

.jp-Memo-note + .jp-Memo-list {
  margin-top: 8px;
}

/* between the two widths of memo.css the figure goes below the table, or neither has room */
@container memo (max-width: 820px) {
  .jp-Memo-open {
    grid-template-columns: minmax(0, 1fr);
  }
  .jp-Memo-open > section:nth-child(2) {
    max-width: 320px;
  }
}

/* a note takes the room beside its bar, and no more */
.jp-Memo-lane span {
  max-width: calc(var(--room) * 100% - 8px);
  overflow: hidden;
  text-overflow: ellipsis;
}
@container memo (max-width: 640px) {
  .jp-Memo-lane span {
    max-width: none;
  }
}
.jp-Memo-void ~ :is(.jp-Memo-end, .jp-Memo-keys) {
  padding-left: 0;
}
.jp-Memo-whole {
  white-space: pre-wrap;
  color: var(--jp-Memo-ink1);
}

/* one long word must not widen the page */
.jp-Memo :is(button, code, dd, h4, p, .jp-Memo-loc, .jp-Memo-scope th) {
  overflow-wrap: anywhere;
}
.jp-Memo-loc {
  min-width: 0;
  white-space: normal;
}
.jp-Memo-chip {
  min-width: 0;
  text-align: left;
}

/* JupyterLab dresses the plain lists and code of outputs; none of that is meant for this view */
.jp-Memo.jp-Memo dl {
  display: grid;
  width: auto;
  overflow: visible;
}
.jp-Memo.jp-Memo :is(dt, dd) {
  float: none;
  width: auto;
  font-weight: inherit;
}
.jp-Memo.jp-Memo .jp-Memo-help {
  margin-top: 10px;
}
.jp-Memo.jp-Memo pre {
  margin: 4px 0 0;
  overflow: visible;
  font-size: 12px;
  line-height: 18px;
  word-break: normal;
  overflow-wrap: anywhere;
}
.jp-Memo.jp-Memo :is(code, kbd) {
  font-size: 12px;
  line-height: inherit;
}
.jp-Memo.jp-Memo kbd {
  font-size: 11px;
  line-height: 14px;
}
.jp-Memo.jp-Memo .jp-Memo-query code {
  font-size: 13px;
}

/* what is folded below a row, and what came near: a path, its place, and at the end of the line how alike */
.jp-Memo-fold li button {
  text-align: left;
}
.jp-Memo-fold li .jp-Memo-loc {
  white-space: nowrap;
}
.jp-Memo-more.jp-Memo-fold {
  margin-top: 12px;
}
.jp-Memo-more.jp-Memo-fold li > :first-child {
  color: var(--jp-Memo-ink1);
}

/* the search box of the widget */
.jp-MemoBox {
  position: relative;
  container-type: normal;
  max-width: 720px;
}
.jp-MemoState {
  padding: 2px 0;
}
.jp-Memo-field .jp-Memo-button {
  flex: none;
}
.jp-Memo-field input::-webkit-search-cancel-button {
  display: none;
}
.jp-Memo-options {
  position: absolute;
  z-index: 10;
  top: 100%;
  left: 0;
  right: 0;
  margin-top: 2px;
  padding: 2px 0;
  border: 1px solid var(--jp-Memo-edge);
  border-radius: 3px;
  background: var(--jp-Memo-bg);
}
.jp-Memo-option {
  display: flex;
  justify-content: space-between;
  gap: 10px;
  width: 100%;
  padding: 1px 9px;
  text-align: left;
}
.jp-Memo-option:hover,
.jp-Memo-option[aria-selected="true"] {
  background: color-mix(in srgb, var(--jp-Memo-accent) 12%, transparent);
}
.jp-Memo-field input:focus-visible {
  outline: none;
}
.jp-Memo-grade {
  flex-basis: auto;
}
`,""]),p.d(o,{},{A:r})},1724(e,o,p){var t=p(1601),i=p.n(t),n=p(6314),r=(p.n(n))()(i());r.push([e.id,`/* what the search widget has beside the box and the list */
.jp-MemoWidget {
  padding: 4px 0 8px;
}
.jp-MemoWidget > .jp-MemoState {
  margin: 0;
  min-height: 20px;
}
.jp-MemoWidget > .jp-MemoState > span:empty {
  display: none;
}
.jp-MemoPages {
  margin: 0;
}
.jp-MemoFolder {
  max-width: 720px;
  font-size: 12px;
}
.jp-MemoFolder > summary {
  width: fit-content;
  color: var(--jp-Memo-ink2);
}
.jp-MemoFolder > form {
  margin-top: 4px;
}
.jp-Memo-tray {
  grid-column: 2 / -1;
  margin-top: 10px;
}
.jp-Memo-tools {
  display: flex;
  flex-wrap: wrap;
  gap: 4px 10px;
  font-size: 12px;
}
.jp-Memo-style[aria-pressed="true"] {
  color: var(--jp-Memo-ink0);
  font-weight: 600;
}
`,""]),p.d(o,{},{A:r})},6314(e){e.exports=function(e){var o=[];return o.toString=function(){return this.map(function(o){var p="",t=void 0!==o[5];return o[4]&&(p+="@supports (".concat(o[4],") {")),o[2]&&(p+="@media ".concat(o[2]," {")),t&&(p+="@layer".concat(o[5].length>0?" ".concat(o[5]):""," {")),p+=e(o),t&&(p+="}"),o[2]&&(p+="}"),o[4]&&(p+="}"),p}).join("")},o.i=function(e,p,t,i,n){"string"==typeof e&&(e=[[null,e,void 0]]);var r={};if(t)for(var a=0;a<this.length;a++){var m=this[a][0];null!=m&&(r[m]=!0)}for(var l=0;l<e.length;l++){var d=[].concat(e[l]);t&&r[d[0]]||(void 0!==n&&(void 0===d[5]||(d[1]="@layer".concat(d[5].length>0?" ".concat(d[5]):""," {").concat(d[1],"}")),d[5]=n),p&&(d[2]&&(d[1]="@media ".concat(d[2]," {").concat(d[1],"}")),d[2]=p),i&&(d[4]?(d[1]="@supports (".concat(d[4],") {").concat(d[1],"}"),d[4]=i):d[4]="".concat(i)),o.push(d))}},o}},1601(e){e.exports=function(e){return e[1]}},5072(e){var o=[];function p(e){for(var p=-1,t=0;t<o.length;t++)if(o[t].identifier===e){p=t;break}return p}function t(e,t){for(var i={},n=[],r=0;r<e.length;r++){var a=e[r],m=t.base?a[0]+t.base:a[0],l=i[m]||0,d="".concat(m," ").concat(l);i[m]=l+1;var s=p(d),j={css:a[1],media:a[2],sourceMap:a[3],supports:a[4],layer:a[5]};if(-1!==s)o[s].references++,o[s].updater(j);else{var c=function(e,o){var p=o.domAPI(o);return p.update(e),function(o){o?(o.css!==e.css||o.media!==e.media||o.sourceMap!==e.sourceMap||o.supports!==e.supports||o.layer!==e.layer)&&p.update(e=o):p.remove()}}(j,t);t.byIndex=r,o.splice(r,0,{identifier:d,updater:c,references:1})}n.push(d)}return n}e.exports=function(e,i){var n=t(e=e||[],i=i||{});return function(e){e=e||[];for(var r=0;r<n.length;r++){var a=p(n[r]);o[a].references--}for(var m=t(e,i),l=0;l<n.length;l++){var d=p(n[l]);0===o[d].references&&(o[d].updater(),o.splice(d,1))}n=m}}},7659(e){var o={};e.exports=function(e,p){var t=function(e){if(void 0===o[e]){var p=document.querySelector(e);if(window.HTMLIFrameElement&&p instanceof window.HTMLIFrameElement)try{p=p.contentDocument.head}catch(e){p=null}o[e]=p}return o[e]}(e);if(!t)throw Error("Couldn't find a style target. This probably means that the value for the 'insert' parameter is invalid.");t.appendChild(p)}},540(e){e.exports=function(e){var o=document.createElement("style");return e.setAttributes(o,e.attributes),e.insert(o,e.options),o}},5056(e,o,p){e.exports=function(e){var o=p.nc;o&&e.setAttribute("nonce",o)}},7825(e){e.exports=function(e){if("u"<typeof document)return{update:function(){},remove:function(){}};var o=e.insertStyleElement(e);return{update:function(p){var t,i,n;t="",p.supports&&(t+="@supports (".concat(p.supports,") {")),p.media&&(t+="@media ".concat(p.media," {")),(i=void 0!==p.layer)&&(t+="@layer".concat(p.layer.length>0?" ".concat(p.layer):""," {")),t+=p.css,i&&(t+="}"),p.media&&(t+="}"),p.supports&&(t+="}"),(n=p.sourceMap)&&"u">typeof btoa&&(t+="\n/*# sourceMappingURL=data:application/json;base64,".concat(btoa(unescape(encodeURIComponent(JSON.stringify(n))))," */")),e.styleTagTransform(t,o,e.options)},remove:function(){var e;null===(e=o).parentNode||e.parentNode.removeChild(e)}}}},1113(e){e.exports=function(e,o){if(o.styleSheet)o.styleSheet.cssText=e;else{for(;o.firstChild;)o.removeChild(o.firstChild);o.appendChild(document.createTextNode(e))}}},3050(e,o,p){var t=p(5072),i=p.n(t),n=p(7825),r=p.n(n),a=p(7659),m=p.n(a),l=p(5056),d=p.n(l),s=p(540),j=p.n(s),c=p(1113),M=p.n(c),x=p(7918),h={};h.styleTagTransform=M(),h.setAttributes=d(),h.insert=m().bind(null,"head"),h.domAPI=r(),h.insertStyleElement=j(),i()(x.A,h),x.A&&x.A.locals&&x.A.locals;var g=p(2187),f={};f.styleTagTransform=M(),f.setAttributes=d(),f.insert=m().bind(null,"head"),f.domAPI=r(),f.insertStyleElement=j(),i()(g.A,f),g.A&&g.A.locals&&g.A.locals;var u=p(6967),w={};w.styleTagTransform=M(),w.setAttributes=d(),w.insert=m().bind(null,"head"),w.domAPI=r(),w.insertStyleElement=j(),i()(u.A,w),u.A&&u.A.locals&&u.A.locals;var b=p(1724),v={};v.styleTagTransform=M(),v.setAttributes=d(),v.insert=m().bind(null,"head"),v.domAPI=r(),v.insertStyleElement=j(),i()(b.A,v),b.A&&b.A.locals&&b.A.locals;var k=p(5724),y={};y.styleTagTransform=M(),y.setAttributes=d(),y.insert=m().bind(null,"head"),y.domAPI=r(),y.insertStyleElement=j(),i()(k.A,y),k.A&&k.A.locals&&k.A.locals}}]);