import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { currentCheckout } from '../../bench/api.ts'

/** Changes that a release may contain: a column, a table, a rewritten policy and an index that is built while rows are written. */
const migrations = {
  '9998_upgrade_schema.sql': `
    alter table crm.leads add column upgrade_note text;
    create table crm.upgrade_notes (tenant_id uuid not null, id uuid not null, primary key (tenant_id, id));
    call platform.isolate_by_tenant('crm.upgrade_notes');`,
  '9999_upgrade_index.js': `
    export const up = (pgm) => {
      pgm.noTransaction()
      pgm.sql('create index concurrently upgrade_leads on crm.leads (tenant_id, upgrade_note)')
    }
    export const down = false`,
}

/** Copies the checkout and adds migrations, as the next version would have. */
export function createNextVersion(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'tributary-next-')), 'checkout')
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: currentCheckout }).toString().split('\0').filter(Boolean)
  for (const file of files.filter((name) => /^(src|migrations|package|docs|openapi)/.test(name)))
    cpSync(join(currentCheckout, file), join(folder, file))
  symlinkSync(join(currentCheckout, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, text] of Object.entries(migrations)) writeFileSync(join(folder, 'migrations', name), text)
  return folder
}
