import type { Plugin } from 'vite'
import * as operations from './src/api/access.gen.ts'

const constants = new Map(Object.entries(operations))
const importPattern = /^import \{([^}]+)\} from '[^']*\/api\/access\.gen\.ts'$/gm

/**
 * Replaces imports of access constants by the constants. One module of all used operations would be part of the
 * first load, because the shell uses some of them.
 */
export function inlineAccess(): Plugin {
  return {
    name: 'inline-access',
    enforce: 'pre',
    transform: {
      filter: { code: 'access.gen.ts' },
      handler: (code) => ({ code: replaceImports(code), map: null }),
    },
  }
}

export const replaceImports = (code: string): string =>
  code.replace(importPattern, (statement, names: string) => {
    const lines = names.split(',').filter((name) => name.trim())
    return lines.map((name) => declareConstant(name.trim())).join(';') + '\n'.repeat(statement.split('\n').length - 1)
  })

function declareConstant(name: string): string {
  const access = constants.get(name)
  if (!access) throw new Error(`${name} is not a constant of access.gen.ts`)
  return `const ${name} = ${JSON.stringify(access)}`
}
