import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Command } from 'commander'
import { subjectKeyName } from '#modules/crm'
import { readSecret } from '#modules/identity'
import { importArchive, openBackup } from '#modules/operations'
import { operatorActor } from '#platform/access'
import { systemClock } from '#platform/clock'
import type { Config } from '#platform/config'
import { enterTenant, inSystem, type SystemDb } from '#platform/db'
import { invalid } from '#platform/errors'
import { buildRegistry } from '#platform/module'
import { createSecretBox } from '#platform/secrets'
import { openBlobStore } from '#platform/storage'
import { insertOperatorAuditEntry, workspaceUrl } from '../modules/identity/users/operator/operator.ts'
import { modules } from '../modules.ts'
import {
  auditFailure,
  type CliIo,
  type JsonOption,
  operatorName,
  printResult,
  withSystemDb,
} from './operator-command.ts'
import { addCommand, parseTextUpTo } from './options.ts'

const noConsentKey =
  'Suppressions of people without a record do not apply, because their key is not in the archive. To keep them, use --from with SECRETS_KEYS.'

const noSealedRows =
  'Private practice and other sealed rows are not imported, because SECRETS_KEYS has no key for them. To import them, add the key of the installation that wrote the archive.'

type ImportOptions = JsonOption & { slug: string; name?: string; file?: string; from?: string; backup?: string }

export function addImportCommand(tenant: Command, io: CliIo): void {
  addCommand(tenant, 'import', 'Create a workspace from a backup; its users must reset their passwords')
    .requiredOption('--slug <slug>', 'subdomain of the new workspace')
    .option('--name <name>', 'display name; that of the backup if omitted', parseTextUpTo(120))
    .option('--file <path>', 'archive to import')
    .option('--from <slug>', 'workspace with the backup to import')
    .option('--backup <id>', 'id of the backup; required with --from')
    .action(async ({ json, ...options }: ImportOptions) => {
      const command = { command: 'tenant import', args: options, isJson: json }
      await withSystemDb(io, async (systemDb, config) => {
        const imported = await auditFailure(systemDb, command, () => runImport(systemDb, config, options))
        await inSystem(systemDb, (tx) =>
          insertOperatorAuditEntry(tx, {
            operator: operatorName(),
            command: command.command,
            args: options,
            outcome: 'ok',
            tenantId: imported.tenant_id,
          }),
        )
        const rows = Object.values(imported.tables).reduce((total, count) => total + count, 0)
        const url = workspaceUrl(config, imported.slug, '/')
        const warnings = [
          ...(imported.has_sealed_rows ? [] : [noSealedRows]),
          ...(imported.has_consent_key ? [] : [noConsentKey]),
        ]
        const text = `Imported workspace ${imported.slug} at ${url}: ${rows} rows and ${imported.files} files. Its users must reset their passwords.`
        printResult(io, command, {
          json: { ...imported, url },
          text: [text, ...warnings].join('\n'),
        })
      })
    })
}

async function runImport(systemDb: SystemDb, config: Config, { slug, name, ...source }: ImportOptions) {
  const context = {
    inSystem: <T>(work: Parameters<typeof inSystem<T>>[1]) => inSystem(systemDb, work),
    storage: await openBlobStore(config),
    tables: buildRegistry(modules).tables,
    secrets: config.SECRETS_KEYS ? createSecretBox(config.SECRETS_KEYS) : undefined,
    now: systemClock.now(),
  }
  const { open, tenantId } = await resolveSource(context, source)
  const secrets = tenantId && config.SECRETS_KEYS ? await copyConsentKey(systemDb, config, tenantId) : undefined
  const target = { slug, name, secrets, context: { config, now: context.now } }
  const imported = await importArchive(context, { open, target })
  return { ...imported, has_consent_key: secrets !== undefined }
}

/** Without this key, addresses do not match the suppressions of the original workspace. */
async function copyConsentKey(systemDb: SystemDb, config: Config, tenantId: string) {
  const box = createSecretBox(config.SECRETS_KEYS)
  const key = await inSystem(systemDb, async (tx) =>
    readSecret(await enterTenant(tx, operatorActor(tenantId)), box, subjectKeyName),
  )
  const values: Record<string, string> = key === null ? {} : { [subjectKeyName]: key }
  return { box, values }
}

async function resolveSource(
  context: Parameters<typeof openBackup>[0],
  { file, from, backup }: Pick<ImportOptions, 'file' | 'from' | 'backup'>,
): Promise<{ tenantId?: string; open(): Promise<Readable> }> {
  if (from && backup && !file) return await openBackup(context, { slug: from, backupId: backup })
  if (!file || from || backup)
    throw invalid('body', '/file', 'required', 'Either --file, or --from and --backup, is required.')
  await access(file).catch(() => {
    throw invalid('body', '/file', 'not_found', `The file ${file} cannot be read.`)
  })
  return { open: async () => createReadStream(file) }
}
