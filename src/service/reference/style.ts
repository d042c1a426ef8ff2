/** The product's own tokens, light and dark; one face for all, since nothing here was spoken. */
export const style = `
:root{color-scheme:light dark;--canvas:#f2f0eb;--surface:#fffefc;--sunken:#f8f6f2;--line:#e5e1d9;--ink:#20241f;--ink-2:#4f554e;--accent:#1f5e54;--on-accent:#fff;--accent-ink:#1b574d;--accent-tint:#e3efea;--amber-ink:#744b05}
@media (prefers-color-scheme:dark){:root{--canvas:#151817;--surface:#1c201e;--sunken:#212523;--line:#323834;--ink:#ecebe6;--ink-2:#bdc1ba;--accent:#7fc3b1;--on-accent:#0e211c;--accent-ink:#8ccdbc;--accent-tint:#20352f;--amber-ink:#e5bc6c}}
*{box-sizing:border-box}
html{scroll-padding-top:16px}
body{margin:0;background:var(--canvas);color:var(--ink);font:14px/20px "Inter Variable",Inter,system-ui,sans-serif;font-variant-numeric:tabular-nums}
a{color:var(--accent-ink)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-999px}
.skip:focus{left:12px;top:12px;background:var(--surface);padding:8px 12px;z-index:1}
.page{display:grid;grid-template-columns:264px minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:20px 16px}
nav h2{font-size:12px;line-height:16px;font-weight:500;color:var(--ink-2);margin:16px 8px 4px;text-transform:capitalize}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:block;padding:6px 8px;border-radius:6px;color:var(--ink);text-decoration:none;font-size:13px;line-height:18px}
nav a:hover{background:var(--accent-tint)}
.mark{display:flex;align-items:center;gap:8px;font-weight:600;padding:0 8px 8px}
.mark span{display:grid;place-items:center;width:28px;height:28px;border-radius:7px;background:var(--accent);color:var(--on-accent);font-family:"Source Serif 4 Variable","Source Serif 4",Georgia,serif}
main{background:var(--surface);border:1px solid var(--line);border-radius:10px;margin:8px 8px 8px 0;padding:28px;min-height:calc(100vh - 16px)}
h1{font-size:24px;line-height:30px;font-weight:650;letter-spacing:-.018em;margin:0 0 8px}
h2.kind{font-size:16px;line-height:22px;font-weight:600;margin:44px 0 0;text-transform:capitalize}
h3{font-size:16px;line-height:22px;font-weight:600;margin:0 0 4px}
h4{font-size:13px;line-height:18px;font-weight:600;margin:16px 0 4px}
p{max-width:75ch;margin:4px 0 12px}
section{border-top:1px solid var(--line);padding:20px 0;margin-top:16px}
.second{color:var(--ink-2);font-size:13px;line-height:18px}
.needed{color:var(--amber-ink);font-size:12px;white-space:nowrap}
.address code{overflow-wrap:anywhere}
.method{display:inline-block;min-width:52px;text-align:center;background:var(--accent-tint);color:var(--accent-ink);border-radius:11px;padding:1px 8px;font-size:12px;font-weight:500}
code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:12.5px}
pre{background:var(--sunken);border:1px solid var(--line);border-radius:10px;padding:12px;overflow:auto;line-height:18px}
table{border-collapse:collapse;width:100%;font-size:13px;line-height:18px}
th{text-align:left;font-weight:500;color:var(--ink-2)}
th,td{border-bottom:1px solid var(--line);padding:6px 12px 6px 0;vertical-align:top;overflow-wrap:anywhere}
td:first-child{min-width:72px}
summary{cursor:pointer;color:var(--accent-ink);padding:4px 0}
@media (max-width:760px){.page{display:block}nav{position:static;height:auto;max-height:40vh}main{margin:0;border-radius:0;padding:20px}}
@media print{nav{display:none}.page{display:block}}
`
