import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { cacheFile, createStaticFile, type Routes, sendStaticFile } from '#platform/http'

const require = createRequire(import.meta.url)
const ownScript = (name: string) => () => join(import.meta.dirname, 'browser', name)

/** The library that draws PDF files is loaded by the viewer only. */
const scripts: Record<string, () => string> = {
  'document.js': ownScript('document.js'),
  'gate.js': ownScript('gate.js'),
  'reading.js': ownScript('reading.js'),
  'room.js': ownScript('room.js'),
  'viewer.js': ownScript('viewer.js'),
  'pdfjs/pdf.mjs': () => require.resolve('pdfjs-dist/build/pdf.min.mjs'),
  'pdfjs/pdf.worker.mjs': () => require.resolve('pdfjs-dist/build/pdf.worker.min.mjs'),
}

export const roomScriptRoutes: Routes = async (app) => {
  for (const [name, findFile] of Object.entries(scripts)) {
    const load = cacheFile(() => createStaticFile('text/javascript; charset=utf-8', readFileSync(findFile())))
    app.route({
      method: 'GET',
      url: `/r/${name}`,
      config: { public: true },
      schema: { hide: true },
      handler: async (request, reply) => sendStaticFile(request, reply, await load(), 'no-cache'),
    })
  }
}
