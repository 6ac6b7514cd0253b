import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCheapText } from '#testing'
import { detectMarkup, isSvg } from './markup.rules.ts'

const typeOf = (text: string) => detectMarkup(Buffer.from(text, 'latin1'))

test('SVG is found after a declaration, comments and a document type', () => {
  const starts = [
    '<svg>',
    '\xef\xbb\xbf \n<SVG\twidth="1"/>',
    '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg">',
    `<?xml version="1.0"?>${'<!-- <b> -- -->\n'.repeat(10)}<!DOCTYPE svg PUBLIC "x">\n<svg >`,
  ]

  for (const start of starts) {
    assert.equal(typeOf(start), 'image/svg+xml', start)
    assert.equal(isSvg(Buffer.from(start, 'latin1')), true, start)
  }
})

test('other markup is not SVG', () => {
  const types: [text: string, type: string | undefined][] = [
    ['#!/bin/sh', 'application/x-sh'],
    ['<?xml version="1.0"?><b/>', 'application/xml'],
    ['<?xml <svg', 'application/xml'],
    ['<!-- <svg> ', 'text/html'],
    [`${'<!---->'.repeat(11)}<svg>`, 'text/html'],
    ['<!doctype html><svg>', 'text/html'],
    ['<svgx>', 'text/html'],
    ['<svg', 'text/html'],
    ['a <svg>', undefined],
    ['', undefined],
  ]

  for (const [text, type] of types) assert.equal(typeOf(text), type, text)
})

test('a file of comments or declarations is recognized without a delay', () => {
  for (const part of ['<!---->', '<!--', '<?xml>', '-->', '<!doctype svg>', ' ', '<'])
    for (const end of ['x', '<svg', ''])
      assertCheapText(
        (text) => detectMarkup(Buffer.from(text, 'latin1')),
        (length) => `${part.repeat(length / part.length)}${end}`,
        { maxLength: 65_536, limitMs: 5 },
      )
})
