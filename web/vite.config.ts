import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

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
  plugins: [react(), preloadApplication(), compressFiles()],
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    sourcemap: false,
    manifest: true,
  },
  server: { proxy: Object.fromEntries(apiPaths.map((path) => [path, { target: api, changeOrigin: true }])) },
})

/** Lets the browser load the application while the first script, which imports it, still refreshes the session. */
function preloadApplication(): Plugin {
  return {
    name: 'preload-application',
    enforce: 'post',
    transformIndexHtml(_html, { bundle }) {
      const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk')
      const main = chunks.find((chunk) => chunk.facadeModuleId?.endsWith('/src/app/main.tsx'))
      if (!main) return []
      return [main.fileName, ...main.imports].map((name) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
        injectTo: 'head' as const,
      }))
    },
  }
}

function compressFiles(): Plugin {
  return {
    name: 'compress-files',
    apply: 'build',
    async closeBundle() {
      const folder = join(import.meta.dirname, 'dist')
      const names = await readdir(folder, { recursive: true })
      const texts = names.filter((name) => /\.(js|css|html|svg)$/.test(name))
      await Promise.all(texts.map((name) => writeCompressed(join(folder, name))))
    },
  }
}

async function writeCompressed(path: string): Promise<void> {
  const content = await readFile(path)
  await writeFile(`${path}.gz`, await compressGzip(content, { level: 9 }))
  await writeFile(`${path}.br`, await compressBrotli(content))
}
