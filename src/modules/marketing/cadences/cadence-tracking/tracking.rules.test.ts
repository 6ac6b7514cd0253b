import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addOpenImage, isScanner, signLink, verifyLink } from './tracking-tokens.rules.ts'

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

test('the image of an email is the last part of its body', () => {
  const html = '<html><body><p>Hello</p>\n</body></html>'

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
