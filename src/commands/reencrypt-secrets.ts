import type { Command } from 'commander'
import { operatorActor } from '#platform/access'
import type { Config } from '#platform/config'
import { enterTenant, inSystem, retryOnContention, type SystemDb, type TenantTx } from '#platform/db'
import { buildRegistry, countSecretsByKey, listSecretColumns, reencryptSecrets } from '#platform/module'
import { createSecretBox, parseKeys } from '#platform/secrets'
import { insertOperatorAuditEntry, listTenantIdsAfter } from '../modules/identity/users/operator/operator.ts'
import { modules } from '../modules.ts'
import {
  auditFailure,
  type CliIo,
  type JsonOption,
  operatorName,
  printResult,
  withSystemDb,
} from './operator-command.ts'
import { addCommand } from './options.ts'
import { createSecretsReport, formatSecretsReport, type SecretsReport } from './secrets-report.ts'

const tenantsPerPage = 500

type ReencryptOptions = JsonOption & { check?: boolean }

export function addReencryptCommand(keys: Command, io: CliIo): void {
  addCommand(keys, 'reencrypt', 'Encrypt all stored secrets with the first key of SECRETS_KEYS')
    .option('--check', 'only count the secrets of each key')
    .action(async ({ json, check = false }: ReencryptOptions) => {
      const command = { command: 'keys reencrypt', args: { check }, isJson: json }
      await withSystemDb(io, async (systemDb, config) => {
        const report = await auditFailure(systemDb, command, () => reencryptTenants(systemDb, config, check))
        const { reencrypted, unreadable } = report
        await inSystem(systemDb, (tx) =>
          insertOperatorAuditEntry(tx, {
            operator: operatorName(),
            command: command.command,
            args: { check, reencrypted, unreadable },
            outcome: unreadable ? 'incomplete' : 'ok',
            tenantId: null,
          }),
        )
        printResult(io, command, { json: report, text: formatSecretsReport(report, check) })
        if (unreadable)
          throw new Error(
            `${unreadable} secrets cannot be decrypted. Add their keys to SECRETS_KEYS, or enter the secrets again.`,
          )
      })
    })
}

async function reencryptTenants(systemDb: SystemDb, config: Config, isCheck: boolean): Promise<SecretsReport> {
  const box = createSecretBox(config.SECRETS_KEYS)
  const kids = parseKeys('SECRETS_KEYS', config.SECRETS_KEYS).map(({ kid }) => kid)
  const columns = listSecretColumns(buildRegistry(modules).tables)
  const { report, addResult, addCounts, finish } = createSecretsReport(columns, kids)
  const { signal } = new AbortController()
  for await (const tenantId of listTenantsInPages(systemDb)) {
    const inTenant = <T>(work: (tx: TenantTx) => Promise<T>) =>
      retryOnContention(
        () => inSystem(systemDb, async (tx) => work(await enterTenant(tx, operatorActor(tenantId)))),
        signal,
      )
    for (const column of isCheck ? [] : columns)
      addResult(tenantId, column, await reencryptSecrets(column, { inTenant, box, newestKid: kids[0]! }))
    const counts = await inTenant((tx) => Promise.all(columns.map((column) => countSecretsByKey(tx, column))))
    for (const [index, column] of columns.entries()) addCounts(column, counts[index]!)
  }
  finish()
  return report
}

async function* listTenantsInPages(systemDb: SystemDb): AsyncGenerator<string> {
  for (let after: string | undefined; ; ) {
    const ids = await inSystem(systemDb, (tx) => listTenantIdsAfter(tx, after, tenantsPerPage))
    yield* ids
    if (ids.length < tenantsPerPage) return
    after = ids.at(-1)
  }
}
