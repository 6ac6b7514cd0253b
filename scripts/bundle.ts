// Writes the application and its larger packages into a few files, because Node spends about a millisecond on every file it imports.
import { dirname, join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import packageInfo from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')

/** Packages of many files. All others stay in node_modules: they are small, read files of their own, are native or are patched by OpenTelemetry. */
const bundledPackages = [
  '@fastify/busboy',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/swagger',
  '@fastify/under-pressure',
  '@prometheus-io/client',
  'ajv',
  'ajv-formats',
  'commander',
  'fastify',
  'ioredis',
  'jose',
  'kysely',
  'libphonenumber-js',
  'markdown-it',
  'nodemailer',
  'openid-client',
  're2js',
  'tar-stream',
  'tldts',
  'typebox',
  'undici',
  'uuid',
]

/** Bundles source files, given by the name of their bundle without extension, into a folder of the repository. */
export async function bundlePrograms(entries: Record<string, string>, folder: string): Promise<void> {
  const output = join(root, folder)
  const bundle = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    external: listExternalPackages(),
    checks: { eval: false, pluginTimings: false },
    plugins: [keepSourceLocation(output)],
  })
  await bundle.write({
    dir: output,
    format: 'esm',
    cleanDir: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunk-[name].js',
  })
  await bundle.close()
}

function listExternalPackages(): RegExp[] {
  const packages = Object.keys({ ...packageInfo.dependencies, ...packageInfo.devDependencies })
  return packages.filter((name) => !bundledPackages.includes(name)).map((name) => new RegExp(`^${name}(/|$)`))
}

/** Makes import.meta refer to the source file, so that files next to it are found. All bundles are in one folder for this reason. */
function keepSourceLocation(output: string): Plugin {
  const urlOf = (path: string) => `new URL(${JSON.stringify(relative(output, path))}, import.meta.url)`
  const pathOf = (path: string) => `process.getBuiltinModule('node:url').fileURLToPath(${urlOf(path)})`
  return {
    name: 'keep-source-location',
    transform: {
      filter: { id: { include: /\.ts$/, exclude: /\/node_modules\// }, code: 'import.meta.' },
      handler(code, id) {
        const values = { dirname: pathOf(dirname(id)), filename: pathOf(id), url: `${urlOf(id)}.href`, main: 'false' }
        const replaced = code.replace(
          /\bimport\.meta\.(dirname|filename|url|main)\b/g,
          (_, name: keyof typeof values) => values[name],
        )
        return { code: replaced, map: null }
      },
    },
  }
}
