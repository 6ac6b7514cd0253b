import assert from 'node:assert/strict'
import { median } from '../measure.ts'
import { type Bench, exported, followTask, rounds, secondsSince, taskOf } from './bulk-contacts.ts'

/** Exports all contacts and downloads the file. Returns how many times as long it takes as COPY of the same rows to a file. */
export async function measureExports(bench: Bench): Promise<number> {
  const { send, bare, workspace } = bench
  const ratios: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const copyStart = performance.now()
    await bare.query(`copy (select contact.*, account.name, account.domain from crm.contacts contact
      left join crm.accounts account on account.tenant_id = contact.tenant_id and account.id = contact.account_id
      where contact.tenant_id = '${workspace.tenantId}' and contact.deleted_at is null order by contact.id)
      to '/dev/null' (format csv, header)`)
    const copied = secondsSince(copyStart)
    const start = performance.now()
    const { body } = await send({ method: 'POST', path: '/api/contacts/exports', body: { format: 'csv' } })
    const { export_id: id } = body as unknown as { export_id: string }
    const { status, steps } = await followTask(bench, taskOf({ body }))
    const seconds = secondsSince(start)
    assert.deepEqual([status.state, status.result.rows], ['succeeded', exported])
    const { lines, megabytes } = await readFile(await workspace.download(`/api/contacts/exports/${id}/file`))
    assert.equal(lines, exported + 1)
    if (round > 0) ratios.push(seconds / copied)
    console.log(
      `  exported ${exported} contacts (${megabytes.toFixed(0)} MB) in ${seconds.toFixed(1)} s, ${Math.round(exported / seconds)}/s, ` +
        `${steps.length} steps of progress; COPY ${copied.toFixed(2)} s, ratio ${(seconds / copied).toFixed(2)}`,
    )
  }
  return median(ratios)
}

async function readFile(parts: AsyncIterable<Buffer>): Promise<{ lines: number; megabytes: number }> {
  let [lines, bytes] = [0, 0]
  for await (const part of parts) {
    bytes += part.length
    for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) lines++
  }
  return { lines, megabytes: bytes / 1_000_000 }
}
