import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** A file that public pages load. The address contains the hash, so that browsers can keep the file forever. */
export type PublicAsset = { name: string; type: string; content: Buffer; hash: string; url: string }

const require = createRequire(import.meta.url)
const styleNames = [
  'theme',
  'dark',
  'base',
  'card',
  'gate',
  'room',
  'room-items',
  'room-plan',
  'viewer',
  'survey',
  'answers',
  'columns',
  'document',
]

// Other alphabets use a font of the device.
const fonts = {
  'inter-latin.woff2': {
    findFile: () => require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
    range:
      'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  },
  'inter-latin-ext.woff2': {
    findFile: () => require.resolve('@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2'),
    range:
      'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
  },
}

export const publicAssetNames = ['public.css', ...Object.keys(fonts)] as const

let loaded: { stylesheet: PublicAsset; byName: ReadonlyMap<string, PublicAsset> } | undefined

export function loadPublicAssets() {
  loaded ??= readAssets()
  return loaded
}

function readAssets() {
  const fontAssets = Object.entries(fonts).map(([name, { findFile }]) =>
    toAsset(name, 'font/woff2', readFileSync(findFile())),
  )
  const faces = Object.values(fonts).map(
    ({ range }, at) =>
      `@font-face { font-family: "Inter Variable"; font-weight: 100 900; font-display: swap; src: url(${fontAssets[at]!.url}) format("woff2"); unicode-range: ${range} }`,
  )
  const styles = styleNames.map(readStyles)
  const stylesheet = toAsset('public.css', 'text/css; charset=utf-8', Buffer.from([...faces, ...styles].join('\n')))
  return { stylesheet, byName: new Map([stylesheet, ...fontAssets].map((asset) => [asset.name, asset])) }
}

/** The rules of the dark theme also apply to pages that follow a dark system. */
function readStyles(name: string): string {
  const rules = readFileSync(join(import.meta.dirname, 'styles', `${name}.css`), 'utf8')
  if (name !== 'dark') return rules
  const ofSystem = rules.replaceAll('[data-theme="dark"]', '[data-theme="auto"]')
  return `${rules}\n@media (prefers-color-scheme: dark) {\n${ofSystem}}`
}

function toAsset(name: string, type: string, content: Buffer): PublicAsset {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 16)
  return { name, type, content, hash, url: `/assets/${name}?v=${hash}` }
}
