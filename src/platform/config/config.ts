import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Static } from 'typebox'
import { settings } from './settings.ts'

export type Config = Readonly<Static<typeof settings>>
export type Environment = Readonly<Record<string, string | undefined>>

/** Reads the environment once, at start, and refuses to go on with what cannot work. */
export function readConfig(environment: Environment = process.env): Config {
  const given: Record<string, unknown> = {}
  for (const name of Object.keys(settings.properties)) {
    const value = settingOf(environment, name)
    if (value !== undefined && value !== '') given[name] = value
  }
  const validate = new Ajv2020({ allErrors: true, coerceTypes: true, useDefaults: true, strict: false }).compile(
    settings,
  )
  const problems = validate(given)
    ? unsafeInProduction(given as Config)
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath.slice(1)} ${message}`)
  if (problems.length) throw new Error(`The configuration is not usable:\n  ${problems.join('\n  ')}`)
  return given as Config
}

export const isProduction = ({ NODE_ENV }: Pick<Config, 'NODE_ENV'>): boolean => NODE_ENV === 'production'

/** A secret may be handed over as a file: SMTP_URL_FILE names the file that holds SMTP_URL. */
function settingOf(environment: Environment, variable: string): string | undefined {
  const file = environment[`${variable}_FILE`]
  return file ? readFileSync(file, 'utf8').trim() : environment[variable]
}

function unsafeInProduction(config: Config): string[] {
  if (!isProduction(config)) return []
  const problems: string[] = []
  if (config.DEFAULT_TENANT_SLUG)
    problems.push('DEFAULT_TENANT_SLUG is for development: remove it, or set NODE_ENV=development')
  if (config.RATE_LIMIT_FACTOR === 0) problems.push('RATE_LIMIT_FACTOR=0 switches every limit off: not in production')
  if (config.SAFE_FETCH_ALLOW_PRIVATE)
    problems.push('SAFE_FETCH_ALLOW_PRIVATE opens the internal network: not in production')
  if (!config.SIGNING_KEYS) problems.push('SIGNING_KEYS is missing: make one with `npm start -- keys new`')
  if (!config.SECRETS_KEYS) problems.push('SECRETS_KEYS is missing: make one with `npm start -- keys new`')
  return problems
}
