// Writes a resource in the form of src/modules/identity/workspace/teams, registers it and runs `npm run generate`.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { planResource } from './new-resource/plan-resource.ts'

const usage = 'Usage: npm run new:resource -- <module>[/<area>] <plural name> [--singular <name>]'
const root = join(import.meta.dirname, '..')

try {
  createFromArguments()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function createFromArguments(): void {
  const { positionals, values } = parseArgs({ options: { singular: { type: 'string' } }, allowPositionals: true })
  const [location, plural] = positionals
  if (!location || !plural || positionals.length > 2) throw new Error(usage)
  const { names, created, edited, tooLong } = planResource(root, { location, plural, singular: values.singular })
  for (const [file, text] of [...created, ...edited]) {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  console.log(['Created:', ...created.keys(), '', 'Registered in:', ...edited.keys(), ''].join('\n'))

  const code = [...created.keys(), ...edited.keys()].filter((file) => file.endsWith('.ts'))
  runProgram('biome', 'check', '--write', '--log-level=error', ...code)
  runProgram(process.execPath, 'scripts/generate.ts')
  for (const file of tooLong) console.log(`${file} has more than 300 lines. Split it.`)
  console.log(
    `Now replace the example fields. Run npm test -- src/modules/${names.module}/${names.directory} and npm run matrix -- --route ${names.folder}.`,
  )
}

function runProgram(program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd: root, stdio: 'inherit' })
}
