import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPlainText } from './plain-text.ts'

test('notifications are shown without the marks of Markdown', () => {
  assert.equal(toPlainText('**Paul Griffin** opened [Group contract](/rooms/1)'), 'Paul Griffin opened Group contract')
  assert.equal(toPlainText('> - Price \\*2026\\*\n# Title'), '- Price *2026*\nTitle')
  assert.equal(toPlainText('2 * 3 = 6, snake_case, <b>x</b>'), '2 * 3 = 6, snake_case, <b>x</b>')
})
