import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placePopup } from './place-popup.ts'

const screen = { width: 400, height: 800 }
const popup = { width: 200, height: 300 }
const button = (left: number, top: number) => ({ left, right: left + 40, top, bottom: top + 30 })

test('a menu opens below its button and stays inside the screen', () => {
  assert.deepEqual(placePopup(button(20, 40), popup, screen, 'start'), { left: 20, top: 76 })
  assert.deepEqual(placePopup(button(300, 40), popup, screen, 'start'), { left: 192, top: 76 })
  assert.deepEqual(placePopup(button(340, 40), popup, screen, 'end'), { left: 180, top: 76 })
  assert.deepEqual(placePopup(button(0, 40), popup, screen, 'end'), { left: 8, top: 76 })
})

test('a menu of a button at the bottom opens above it', () => {
  assert.deepEqual(placePopup(button(20, 760), popup, screen, 'start'), { left: 20, top: 454 })
})

test('a menu that fits neither below nor above its button covers it', () => {
  const tall = { width: 200, height: 700 }

  assert.deepEqual(placePopup(button(20, 300), tall, screen, 'start'), { left: 20, top: 92 })
})
