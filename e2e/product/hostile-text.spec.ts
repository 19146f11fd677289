import { expect, test } from '../support/test'

/**
 * Ways in which texts have run scripts or loaded things elsewhere: OWASP's filter evasion list, CommonMark's corners,
 * and what sanitisers were fooled by (mXSS, namespaces, half tags). Each sets `pwned`, opens a dialog, or asks
 * another server, where it works.
 */
const elsewhere = 'https://elsewhere.example'
const run = 'window.pwned=1'
const payloads = [
  `<script>${run}</script>`,
  `<img src=x onerror="${run}">`,
  `<img src="${elsewhere}/a.png">`,
  `<svg onload="${run}">`,
  `<svg><script>${run}</script></svg>`,
  `<svg><style><img src=x onerror=${run}></style></svg>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${run}&gt;">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${run}>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<iframe src="javascript:${run}"></iframe>`,
  `<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
  `<object data="${elsewhere}/a.swf"></object><embed src="${elsewhere}/b.swf">`,
  `<link rel=stylesheet href="${elsewhere}/a.css">`,
  `<style>@import '${elsewhere}/b.css'; * { background: url(${elsewhere}/c.png) }</style>`,
  `<meta http-equiv="refresh" content="0;url=${elsewhere}">`,
  `<base href="${elsewhere}/">`,
  `<body onload=${run}>`,
  `<input autofocus onfocus=${run}>`,
  `<details open ontoggle=${run}><summary>x</summary></details>`,
  `<video src="${elsewhere}/v.mp4" autoplay onerror=${run}></video>`,
  `<audio src=x onerror=${run}>`,
  `<marquee onstart=${run}>x</marquee>`,
  `<a href="javascript:${run}" autofocus>x</a>`,
  `<template><img src=x onerror=${run}></template>`,
  `<x onclick=${run} tabindex=1 id=x>x</x>`,
  `<div style="background:url(${elsewhere}/d.png)">x</div>`,
  `<scr<script>ipt>${run}</scr</script>ipt>`,
  `<IMG """><SCRIPT>${run}</SCRIPT>">`,
  `<img src=\`x\` onerror=${run}>`,
  `<<script>${run}//<</script>`,
  `<!--<img src="--><img src=x onerror=${run}//">`,
  `<![CDATA[<img src=x onerror=${run}>]]>`,
  `<?xml version="1.0"?><script>${run}</script>`,
  `[x](javascript:${run})`,
  `[x](JaVaScRiPt:${run})`,
  `[x](&#106;avascript:${run})`,
  `[x](java&#10;script:${run})`,
  `[x](java\tscript:${run})`,
  `[x](\\javascript:${run})`,
  `[x](vbscript:${run})`,
  `[x](data:text/html;base64,PHNjcmlwdD5wYXJlbnQucHduZWQ9MTwvc2NyaXB0Pg==)`,
  `[x](<javascript:${run}>)`,
  `[x]: javascript:${run}\n\n[x]`,
  `<javascript:${run}>`,
  `[x](https://example.org "onmouseover=${run}")`,
  `[x](https://example.org" onmouseover="${run})`,
  `[x](https://example.org' onmouseover='${run})`,
  `![x](${elsewhere}/e.png)`,
  `![x](${elsewhere}/f.png "onerror=${run}")`,
  `![x](x" onerror="${run})`,
  `![x](javascript:${run})`,
  `[![x](${elsewhere}/g.png)](javascript:${run})`,
  `![x][y]\n\n[y]: ${elsewhere}/h.png`,
  `# x {onclick=${run}}`,
  '```"><img src=x onerror=' + run + '>\nx\n```',
  '```html\n<img src=x onerror=' + run + '>\n```',
  '`<img src=x onerror=' + run + '>`',
  `| <img src=x onerror=${run}> |\n|---|\n| <script>${run}</script> |`,
  `- [x] <img src=x onerror=${run}>`,
  `~~<img src=x onerror=${run}>~~`,
  `@[<img src=x onerror=${run}>](user:x)`,
  `@[x](user:x" onclick="${run})`,
  `www.example.org/"onmouseover="${run}`,
  `https://example.org/<script>${run}</script>`,
  `{{constructor.constructor('${run}')()}}`,
  `\${${run}}`,
  `{{$.brand}} {{template "boot"}}`,
  `</script><script>${run}</script>`,
  `</textarea><img src=x onerror=${run}>`,
  `</title><img src=x onerror=${run}>`,
  `\u202e<img src=x onerror=${run}>\u2066`,
  `<img src=x one\u2028rror=${run}>`,
  `<ſcript>${run}</ſcript>`,
  `<a href="https://example.org" target="_blank" rel="opener">x</a>`,
]

test('no user text runs, and nothing is loaded from other origins', async ({ page, api, server }) => {
  const writers = [await api.user('Ada'), await api.user('Bob'), await api.user('Eve')]
  const [ada] = writers
  if (!ada) throw new Error('nobody')
  const id = await api.assignment(ada.token, { title: 'Tides' })
  const refused: string[] = []
  for (const [i, text] of payloads.entries()) {
    // Mentions of unknown users are refused; everything else is taken, and shows.
    await api.comment(writers[i % writers.length]?.token ?? '', id, text).catch(() => refused.push(text))
  }
  expect(refused).toEqual(payloads.filter((text) => text.startsWith('@[<img')))

  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('dialog', () => asked.push('a dialog'))
  for (const at of [1, 2, 3, 4]) {
    await page.goto(`/assignment/${id}?comments=${at}`)
    const region = page.getByRole('region', { name: 'Discussion' })
    await expect(region.getByRole('article').first()).toBeVisible()
    // In the first HTML, and as the script drew it.
    await region.getByRole('button', { name: 'Copy link' }).first().focus()
    for (const link of await region.locator('.rendered a').all()) {
      await link.hover()
      expect(await link.getAttribute('href')).toMatch(/^(https?:\/\/|mailto:)/)
      expect(await link.getAttribute('rel')).toBe('nofollow ugc noopener')
    }
    expect(
      await region
        .locator('.rendered')
        .evaluateAll((texts) =>
          texts.flatMap((text) =>
            [...text.querySelectorAll('*')]
              .filter(
                (element) =>
                  element.matches(
                    'script, img, svg, iframe, object, embed, link, style, meta, base, form, input, video, audio, template, math',
                  ) ||
                  [...element.attributes].some(
                    ({ name }) => name.startsWith('on') || name === 'style' || name === 'src',
                  ),
              )
              .map((element) => element.outerHTML),
          ),
        ),
    ).toEqual([])
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false)
  }
  expect(asked.filter((url) => !url.startsWith(server.url) && !url.startsWith('data:'))).toEqual([])
})
