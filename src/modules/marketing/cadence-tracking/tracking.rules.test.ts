import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTemplate, renderTemplate } from '#modules/crm'
import { addOpenImage, rewriteLinks } from './rewrite-links.rules.ts'
import { isScanner } from './scanners.rules.ts'
import { signLink, verifyLink } from './tracking-tokens.rules.ts'

const runId = '0195d1c2-7c4e-7b1a-9a53-3f1a0c5d2e11'
const link = { kind: 'click', runId, url: 'https://acme.example/ä?a=1&b=2#c' } as const

test('a token contains its run and URL, and no changed text is accepted', () => {
  const token = signLink('key', link)

  assert.deepEqual(verifyLink('key', 'click', token), link)
  assert.equal(verifyLink('other key', 'click', token), undefined)
  assert.equal(verifyLink('key', 'open', token), undefined)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=%'
  for (let at = 0; at < token.length; at++)
    for (const character of alphabet)
      if (character !== token[at])
        assert.equal(verifyLink('key', 'click', token.slice(0, at) + character + token.slice(at + 1)), undefined)
  for (const text of ['', 'x', `${token}A`, token.slice(0, -1), token.slice(1), 'A'.repeat(5_000), `${token}=`])
    assert.equal(verifyLink('key', 'click', text), undefined)
})

test('only the http and https links of an email are rewritten, never the unsubscribe link', () => {
  const unsubscribeUrl = 'https://acme.tributary.example/unsubscribe/t'
  const template = parseTemplate(
    'See https://acme.example/a?b=1&c=2, http://b.example. Mail mailto:x@acme.example, javascript:alert(1)\n\nStop: {{ unsubscribe_url }}',
  )
  const render = (format: 'text' | 'html') => {
    const rendered = renderTemplate(template, { unsubscribe_url: unsubscribeUrl }, format)
    assert.ok('content' in rendered)
    return rendered.content
  }
  const urls: string[] = []
  const toTrackedUrl = (url: string) => {
    urls.push(url)
    return url.startsWith('http://b') ? null : `https://t.example/?to=${encodeURIComponent(url)}&x=1`
  }

  const { text, html } = rewriteLinks({ text: render('text'), html: render('html') }, { toTrackedUrl, unsubscribeUrl })

  assert.deepEqual([...new Set(urls)], ['https://acme.example/a?b=1&c=2', 'http://b.example'])
  assert.equal(
    text,
    `See https://t.example/?to=https%3A%2F%2Facme.example%2Fa%3Fb%3D1%26c%3D2&x=1, http://b.example. Mail mailto:x@acme.example, javascript:alert(1)\n\nStop: ${unsubscribeUrl}`,
  )
  assert.match(html, /href="https:\/\/t\.example\/\?to=https%3A%2F%2Facme\.example%2Fa%3Fb%3D1%26c%3D2&amp;x=1"/)
  assert.match(html, /href="http:\/\/b\.example"/)
  assert.match(html, /href="https:\/\/acme\.tributary\.example\/unsubscribe\/t"/)
  assert.equal(html.match(/<a /g)!.length, 3)
  assert.match(addOpenImage(html, 'https://t.example/open'), /<img src="https:\/\/t\.example\/open"[^>]*>\n<\/body>/)
})

test('scanners are recognized, browsers and image proxies of mail providers are not', () => {
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
  const isHitOf = (userAgent: string | undefined, method = 'GET') => isScanner({ method, userAgent })

  for (const agent of [
    chrome,
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Thunderbird/140.0',
  ])
    assert.equal(isHitOf(agent), false, agent)
  for (const agent of [
    undefined,
    '',
    'curl/8.5.0',
    'python-requests/2.31',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; bingbot/2.0)',
    'Barracuda Sentinel (EE)',
    'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 HeadlessChrome/140.0 Safari/537.36',
    'Slackbot-LinkExpanding 1.0',
  ])
    assert.equal(isHitOf(agent), true, agent)
  assert.equal(isHitOf(chrome, 'HEAD'), true)
})
