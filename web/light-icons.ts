import { join } from 'node:path'
import type { Plugin } from 'vite'

const createIcon = join(import.meta.dirname, 'src/ui/create-icon.ts')

/** What an icon has beside its lines: names, and a random key for each line. */
const unused = /^ +name: "[^"]*",$|^ +size: 24,$|,\n +aliases: \[[^\]]*\]|,\n +key: "\w+"/gm

/** Draws the icons of lucide-react with a function of our own, because the package needs 2 kB of the first load for it. */
export function lightIcons(): Plugin {
  return {
    name: 'light-icons',
    load: {
      filter: { id: /\/lucide-react\/dist\/esm\/createLucideIcon\.mjs$/ },
      handler: () => `export { createIcon as default } from ${JSON.stringify(createIcon)}`,
    },
    transform: {
      filter: { id: /\/lucide-react\/dist\/esm\/icons\// },
      handler: (code) => ({ code: code.replace(unused, ''), map: null }),
    },
  }
}
