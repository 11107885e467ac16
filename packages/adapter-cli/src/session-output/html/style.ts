/**
 * The style of an exported session, for screens of any width and for print, light and dark. It loads no fonts or
 * pictures.
 */

const LIGHT = `--paper:#fcfbf9;--ink:#23211e;--soft:#6a655d;--line:#e5e0d8;--card:#f4f1eb;--raised:#fff;--link:#0b5cad;--user:#0f766e;--user-bg:#eaf4f1;--agent:#8a5a12;--warn:#8f4a00;--bad:#b42318;--bad-bg:#fdf0ee;--add:#116329;--add-bg:#e6f5ea;--del:#a40e26;--del-bg:#fdebec;--mark:#6b4fa0;
--a0:#23211e;--a1:#b42318;--a2:#116329;--a3:#855900;--a4:#0b5cad;--a5:#8b2f8b;--a6:#0f6d75;--a7:#6a655d`
const DARK = `--paper:#171614;--ink:#e9e5de;--soft:#a29b90;--line:#34302b;--card:#211f1c;--raised:#1c1a18;--link:#7ab7ff;--user:#5ecbb9;--user-bg:#15312d;--agent:#e0ad5c;--warn:#f0b06a;--bad:#ff8a7d;--bad-bg:#3a1d1a;--add:#7ddb95;--add-bg:#16301d;--del:#ff9aa5;--del-bg:#3b1a20;--mark:#c0a8f0;
--a0:#a29b90;--a1:#ff8a7d;--a2:#7ddb95;--a3:#e7c15d;--a4:#7ab7ff;--a5:#e29ae2;--a6:#6fd0d8;--a7:#e9e5de`

const PAGE = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem;color-scheme:light dark}
body{margin:0 auto;padding:clamp(1rem,4vw,3.5rem) clamp(.9rem,4vw,2.5rem) 4rem;max-width:58rem;background:var(--paper);color:var(--ink);font:16px/1.62 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;overflow-wrap:anywhere}
a{color:var(--link);text-underline-offset:.15em;text-decoration-thickness:.06em}
a:focus-visible,summary:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
code,pre,.subject,.name,.places{font-family:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace}
code{font-size:.88em;background:var(--card);padding:.1em .32em;border-radius:4px}
pre{position:relative;margin:.8rem 0;padding:.75rem .9rem;background:var(--card);border-radius:8px;font-size:.82rem;line-height:1.55;white-space:pre-wrap;overflow-wrap:anywhere;tab-size:4}
pre code{font-size:1em;background:none;padding:0}
.lang{float:right;margin:-.15rem 0 0 .8rem;color:var(--soft);font:.72rem system-ui,sans-serif;user-select:none}
summary{cursor:pointer}
.soft,.what{color:var(--soft)}
.ctl{color:var(--bad);background:var(--bad-bg);border-radius:3px;font-size:.85em}
.box{display:inline-block;min-width:1.1em}
hr{border:0;border-top:1px solid var(--line);margin:1.4rem 0}
img{display:block;max-width:100%;max-height:32rem;border:1px solid var(--line);border-radius:8px}
blockquote{margin:.8rem 0;padding:.1rem 1rem;border-left:3px solid var(--line);color:var(--soft)}
`

const TOP = `
.top{margin-bottom:2.2rem;padding-bottom:1.6rem;border-bottom:1px solid var(--line)}
h1{margin:0 0 1.1rem;font-size:clamp(1.45rem,1.1rem + 1.6vw,2.1rem);line-height:1.22;letter-spacing:-.015em;text-wrap:balance;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:5;overflow:hidden}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(19rem,100%),1fr));gap:.35rem 2rem;margin:0 0 1.3rem;font-size:.92rem}
.facts div{display:grid;grid-template-columns:4.6rem 1fr;gap:.6rem}
.facts dt{color:var(--soft)}
.facts dd{margin:0}
.panel{border:1px solid var(--line);border-radius:10px;margin:.5rem 0;background:var(--raised);font-size:.92rem}
.panel>summary{padding:.55rem .9rem;font-weight:600}
.panel[open]>summary{border-bottom:1px solid var(--line)}
.panel>ul,.panel>ol{margin:.6rem 0;padding-left:2.4rem}
.todo{list-style:none;padding-left:1rem!important}
.todo .completed{color:var(--soft)}
.questions li{margin:.2rem 0}
.questions a{text-decoration:none}
.questions a:hover{text-decoration:underline}
.wide{overflow-x:auto;margin:.6rem 0}
.panel .wide{margin:0}
table{border-collapse:collapse;font-size:.86rem;line-height:1.45;font-variant-numeric:tabular-nums}
.panel table{width:100%}
th,td{padding:.34rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);overflow-wrap:normal}
th{color:var(--soft);font-weight:600;white-space:nowrap}
td:first-child{overflow-wrap:anywhere;min-width:11rem}
td code{background:none;padding:0}
.num{text-align:right;white-space:nowrap}
tfoot td{font-weight:600;border-bottom:0}
`

const TALK = `
.day{margin:2.2rem 0 1rem;font-size:.8rem;font-weight:600;letter-spacing:.04em;color:var(--soft);display:flex;align-items:center;gap:.9rem}
.day::before,.day::after{content:"";flex:1;border-top:1px solid var(--line)}
article{margin:1.5rem 0 0;content-visibility:auto;contain-intrinsic-size:auto 9rem}
article.same{margin-top:.35rem;contain-intrinsic-size:auto 3rem}
article.same>header{display:none}
article>header{display:flex;flex-wrap:wrap;align-items:baseline;gap:.15rem .6rem;margin-bottom:.25rem;font-size:.84rem}
.who{font-weight:650;color:var(--soft)}
.assistant .who{color:var(--agent)}
.user .who{color:var(--user)}
.with{color:var(--soft)}
.at{margin-left:auto;color:var(--soft);text-decoration:none;font-variant-numeric:tabular-nums}
a.at:hover{text-decoration:underline}
article.user{padding:.8rem 1.05rem .85rem;background:var(--user-bg);border-radius:12px}
article.user.made{padding:0;background:none}
article.made .fold .fold{border:0;margin:0}
.mark+.mark{margin-top:-.7rem}
article:target,.mark:target,.result:target{outline:2px solid var(--link);outline-offset:6px;border-radius:8px}
.gone{opacity:.62}
.gone-note{color:var(--warn);font-weight:600}
article p{margin:.55rem 0;white-space:pre-wrap}
article>*:last-child,li>*:last-child{margin-bottom:0}
article ul,article ol{margin:.55rem 0;padding-left:1.7rem}
article li{margin:.22rem 0;white-space:normal}
article h3,article h4,article h5,article h6{margin:1.3rem 0 .5rem;line-height:1.3;font-size:1.02rem}
article h3{font-size:1.22rem}
article h4{font-size:1.1rem}
.tool,.fold{margin:.4rem 0;border:1px solid var(--line);border-radius:8px;background:var(--raised);font-size:.88rem}
.tool>summary,.fold>summary{padding:.36rem .75rem;color:var(--soft)}
.tool>summary{display:flex;align-items:baseline;gap:.6rem;list-style:none}
.tool>summary::-webkit-details-marker{display:none}
.tool>summary::before{content:"▸";font-size:.8em;width:.7em;flex:none}
.tool[open]>summary::before{content:"▾"}
.name{color:var(--ink);font-weight:600;font-size:.82rem;flex:none;max-width:60%;overflow:hidden;text-overflow:ellipsis}
.subject{flex:1 1 4rem;min-width:0;font-size:.8rem;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.tool[open] .subject{white-space:normal;overflow-wrap:anywhere}
.tool[open]:has(.command) .subject{visibility:hidden;height:1.2em}
.size{flex:none;margin-left:auto;font-size:.78rem;font-variant-numeric:tabular-nums}
.failed{border-color:var(--bad)}
.failed .size strong{color:var(--bad)}
.plus{color:var(--add)}
.minus{color:var(--del)}
.tool>pre,.tool>dl,.result>pre,.result>p,.fold>pre,.fold>p,.fold>ul,.fold>ol,.fold>h3,.fold>h4,.fold>blockquote{margin:.5rem .75rem}
.result{border-top:1px dashed var(--line)}
.result pre{background:none;padding:.2rem 0}
.fold{border-style:dashed;background:none}
.thought{margin:.2rem .75rem .7rem;color:var(--soft);white-space:pre-wrap}
.input{display:grid;grid-template-columns:minmax(4rem,max-content) 1fr;gap:.25rem .9rem;font-size:.82rem}
.input dt{color:var(--soft)}
.input dd{margin:0;white-space:pre-wrap;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.command::before{content:"$ ";color:var(--soft)}
.da,.dd,.dh{display:inline-block;width:100%}
.da{color:var(--add);background:var(--add-bg)}
.dd{color:var(--del);background:var(--del-bg)}
.dh{color:var(--soft)}
.mark{margin:1.2rem 0;padding:.4rem .9rem;border-left:3px solid var(--line);color:var(--soft);font-size:.86rem}
.compaction,.truncation,.rewrite,.rewind,.edit,.pin{border-color:var(--mark);color:var(--mark)}
.warning{border-color:var(--warn);color:var(--warn)}
.error{border-color:var(--bad);color:var(--bad)}
.mark .at{float:right;margin-left:1rem}
.mark ul{margin:.4rem 0;padding-left:1.3rem}
.places{font-size:.78rem}
.sub{margin:1rem 0;padding-left:1rem;border-left:3px solid var(--line)}
.sub>summary{font-weight:600;font-size:.9rem;color:var(--soft)}
.ab{font-weight:700}.ad{opacity:.7}.ai{font-style:italic}.au{text-decoration:underline}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.82rem}
`

const palette = Array.from({ length: 16 }, (_, index) => `.a${index}{color:var(--a${index % 8})}`).join('')

const SIZES = `
@media (min-width:70rem){article.same{position:relative;margin-right:-4.5rem;padding-right:4.5rem}article.same>header{display:block;position:absolute;top:.45rem;right:0;font-size:.78rem}}
@media (max-width:34rem){body{font-size:15px}.facts div{grid-template-columns:4.2rem 1fr}.tool>summary{flex-wrap:wrap;gap:.1rem .5rem}.subject{order:3;flex-basis:100%}article.user{padding:.65rem .8rem;border-radius:10px}.input{grid-template-columns:1fr}}
@media print{:root{${LIGHT};--paper:#fff}body{max-width:none;padding:0;font-size:10.5pt}details::details-content{content-visibility:visible;display:block}article{content-visibility:visible}article>header,summary{break-after:avoid}pre{font-size:8.5pt}.tool>summary::before{content:""}.questions{columns:2}h1{-webkit-line-clamp:none}}
`

/** The style sheet, which the document's security policy allows by its hash. */
export const STYLE = `:root{${LIGHT}}
@media (prefers-color-scheme:dark){:root{${DARK}}}${PAGE}${TOP}${TALK}${palette}${SIZES}`
