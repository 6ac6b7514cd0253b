import { readFileSync } from 'node:fs'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import type { Static } from 'typebox'
import { googleIssuer, settings } from './settings.ts'

export type Config = Readonly<Static<typeof settings>>
export type Environment = Readonly<Record<string, string | undefined>>

/** Compiled once per process, because that takes longer than everything else that reads the settings. */
let validate: ReturnType<typeof compileSettings> | undefined

const compileSettings = () =>
  new Ajv2020({ allErrors: true, coerceTypes: true, useDefaults: true, strict: false }).compile(settings)

export function readConfig(environment: Environment = process.env): Config {
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(settings.properties)) {
    const value = readSetting(environment, name)
    if (value !== undefined && value !== '') values[name] = value
  }
  validate ??= compileSettings()
  const problems = validate(values)
    ? unsafeInProduction(values as Config, environment)
    : (validate.errors ?? []).map(describeError)
  if (problems.length) throw new Error(`Invalid configuration:\n  ${problems.join('\n  ')}`)
  return values as Config
}

export const readSearchPath = (environment: Environment = process.env): string => environment.PATH ?? '/usr/bin:/bin'

function describeError({ instancePath, keyword, params, message }: ErrorObject): string {
  const rule = keyword === 'enum' ? `must be one of ${params.allowedValues.join(', ')}` : message
  return `${instancePath.slice(1)} ${rule}`
}

export const isProduction = ({ NODE_ENV }: Pick<Config, 'NODE_ENV'>): boolean => NODE_ENV === 'production'

/** Secrets can be read from a file: SMTP_URL_FILE is the path of a file that contains SMTP_URL. */
function readSetting(environment: Environment, variable: string): string | undefined {
  const file = environment[`${variable}_FILE`]
  return file ? readFileSync(file, 'utf8').trim() : environment[variable]
}

const requiredInProduction = {
  APP_DOMAIN: 'the domain of the workspaces, for example tributary.example',
  STORAGE_URL: 'the file storage, file:///var/lib/tributary or s3://bucket/prefix',
}

function unsafeInProduction(config: Config, environment: Environment): string[] {
  if (!isProduction(config)) return []
  const problems = Object.entries(requiredInProduction)
    .filter(([name]) => !readSetting(environment, name))
    .map(([name, description]) => `${name} is required in production: ${description}`)
  if (config.DEFAULT_TENANT_SLUG) problems.push('DEFAULT_TENANT_SLUG must not be set in production')
  if (config.RATE_LIMIT_FACTOR === 0)
    problems.push('RATE_LIMIT_FACTOR must not be 0 in production, because 0 disables all rate limits')
  if (config.SAFE_FETCH_ALLOW_PRIVATE)
    problems.push(
      'SAFE_FETCH_ALLOW_PRIVATE must not be true in production, because it allows requests to internal networks',
    )
  if (config.APP_SCHEME === 'http' && !isLocalDomain(config.APP_DOMAIN))
    problems.push('APP_SCHEME must be https in production, because links and cookies would be sent unencrypted')
  if (config.GOOGLE_ISSUER !== googleIssuer)
    problems.push(`GOOGLE_ISSUER must be ${googleIssuer} in production, because it decides who can sign in`)
  if (!config.SIGNING_KEYS) problems.push('SIGNING_KEYS is required: create one with `npm start -- keys new`')
  if (!config.SECRETS_KEYS) problems.push('SECRETS_KEYS is required: create one with `npm start -- keys new`')
  return problems
}

const isLocalDomain = (domain: string): boolean =>
  domain === 'localhost' || domain.endsWith('.localhost') || domain === '127.0.0.1'
