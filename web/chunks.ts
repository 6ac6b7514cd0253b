import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

type ChunkContext = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null }

const source = join(import.meta.dirname, 'src')
const leadsPage = 'areas/leads/list/leads-page.tsx'
/** Charts are loaded with the first page that has one. Tiles are on pages without charts, too. */
const isChart = (id: string): boolean =>
  (id.startsWith(join(source, 'charts/')) && !/\btile\./.test(id)) || /\/node_modules\/(d3-|internmap)/.test(id)
/** The editor of rules is loaded with the first page that has one, without what only dragging needs. */
const isRuleBuilder = (id: string): boolean =>
  id.startsWith(join(source, 'patterns/rule-builder/')) && !id.endsWith('/row-drag.ts')
const isIcon = (id: string): boolean => id.includes('/lucide-react/dist/esm/icons/')
let chunks: ReadonlyMap<string, ReadonlySet<string>> | undefined

/**
 * Keeps the first script, what the shell needs, what the first list needs, which other lists share, and the icons of other
 * pages in one file each, because each file costs a request. What only other pages need does not make the first load longer.
 */
export function nameChunk(id: string, context: ChunkContext): string | null {
  chunks ??= listChunks(context)
  for (const [name, files] of chunks) if (files.has(isIcon(id) ? basename(id, '.mjs') : id)) return name
  if (isChart(id)) return 'charts'
  if (isRuleBuilder(id)) return 'rule-builder'
  return isIcon(id) ? 'icons' : null
}

/** The modules of each chunk, and the names of its icons. */
function listChunks(context: ChunkContext): ReadonlyMap<string, ReadonlySet<string>> {
  const listImports = (path: string): Set<string> => {
    const found = new Set([join(source, path)])
    for (const one of found) for (const imported of context.getModuleInfo(one)?.importedIds ?? []) found.add(imported)
    return found
  }
  const boot = listImports('boot.ts')
  const main = listImports('app/main.tsx').difference(boot)
  const list = listImports(leadsPage).difference(main).difference(boot)
  const listIconFiles = listIcons(list)
  list.delete(join(source, leadsPage))
  return new Map([
    ['boot', boot],
    ['main', main.union(listIcons(main))],
    ['list', list.union(listIconFiles)],
  ])
}

/** All icons are reached through one module, so that their names are read from the imports. */
function listIcons(files: ReadonlySet<string>): ReadonlySet<string> {
  const texts = [...files].filter((file) => file.startsWith(source) && /\.tsx?$/.test(file)).map(readText)
  const names = texts.flatMap((text) => (/import \{([^}]+)\} from 'lucide-react'/.exec(text)?.[1] ?? '').split(','))
  return new Set(names.map((name) => iconFiles().get(name.trim().split(' ')[0]!)!))
}

const readText = (path: string): string => readFileSync(path, 'utf8')

let files: ReadonlyMap<string, string> | undefined

/** The file of each name of an icon, because most icons have several. */
function iconFiles(): ReadonlyMap<string, string> {
  files ??= new Map(
    [
      ...readText(join(import.meta.dirname, '../node_modules/lucide-react/dist/esm/lucide-react.mjs')).matchAll(
        /^export \{([^}]+)\} from '\.\/icons\/([\w-]+)\.mjs'/gm,
      ),
    ].flatMap(([, names, file]) => [...names!.matchAll(/default as (\w+)/g)].map(([, name]) => [name!, file!])),
  )
  return files
}
