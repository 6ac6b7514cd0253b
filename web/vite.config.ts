import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import packageInfo from '../package.json' with { type: 'json' }
import { nameChunk } from './chunks.ts'
import { inlineAccess } from './inline-access.ts'
import { keepEarlierBuilds } from './kept-builds.ts'
import { lightIcons } from './light-icons.ts'

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)
const api = process.env.API_ORIGIN ?? 'http://demo.localhost:3000'
/** Paths that the API answers also while Vite serves the application. */
const apiPaths = [
  '/api',
  '/reference',
  '/pages',
  '/login',
  '/auth',
  '/reset-password',
  '/accept-invite',
  '/verify-email',
  '/branding',
]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [inlineAccess(), lightIcons(), react(), preloadApplication(), nameVersion(), finishFiles()],
  build: {
    target: 'es2023',
    // Browsers that have the rest of the target: light-dark() stays as it is.
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    outDir: 'dist',
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    sourcemap: false,
    manifest: true,
    rolldownOptions: {
      output: {
        // The first load names the files of all pages: shorter hashes of fewer characters make it 300 bytes shorter.
        hashCharacters: 'base36',
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: nameChunk, debugName: 'first files' }],
        },
      },
    },
  },
  css: { modules: { generateScopedName: nameClass } },
  // The variant for React versions without the hook is a kilobyte longer.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  server: { proxy: Object.fromEntries(apiPaths.map((path) => [path, { target: api, changeOrigin: true }])) },
})

/** Names the classes of a file alike, because random letters cannot be compressed. */
function nameClass(name: string, file: string): string {
  const [path] = relative(import.meta.dirname, file).split('?')
  return `${name}_${createHash('sha256').update(path!).digest('base64url').slice(0, 4)}`
}

/** Lets the browser load the application while the first script, which imports it, still refreshes the session. */
function preloadApplication(): Plugin {
  return {
    name: 'preload-application',
    enforce: 'post',
    transformIndexHtml(html, { bundle }) {
      const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk')
      const [boot, main] = ['boot', 'main'].map((name) => chunks.find((chunk) => chunk.name === name))
      if (!main) return
      const attrs = (rel: string, name: string) => ({ rel, crossorigin: true, href: `/${name}` })
      const links = [
        ...[main.fileName, ...main.imports]
          .filter((name) => name !== boot?.fileName)
          .map((name) => attrs('modulepreload', name)),
        ...[...(main.viteMetadata?.importedCss ?? [])].map((name) => attrs('stylesheet', name)),
      ]
      return {
        // The first script sets the theme. Nothing is drawn before, so that no page flashes in the other theme.
        html: html.replace('<script type="module"', '<script type="module" blocking="render"'),
        tags: links.map((link) => ({ tag: 'link', attrs: link, injectTo: 'head' as const })),
      }
    },
  }
}

/** Lets the API report files that were built for another version. */
function nameVersion(): Plugin {
  return {
    name: 'name-version',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'version.txt', source: packageInfo.version })
    },
  }
}

/** Writes compressed files and keeps the files of earlier builds. */
function finishFiles(): Plugin {
  return {
    name: 'finish-files',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      const names = Object.keys(bundle)
      const texts = names.filter((name) => /\.(js|css|html|svg)$/.test(name))
      await Promise.all(texts.map((name) => writeCompressed(join(dir!, name))))
      await keepEarlierBuilds(dir!, names, new Date())
    },
  }
}

async function writeCompressed(path: string): Promise<void> {
  const content = await readFile(path)
  await writeFile(`${path}.gz`, await compressGzip(content, { level: 9 }))
  await writeFile(`${path}.br`, await compressBrotli(content))
}
