import { hash } from 'node:crypto'

/** Stands for a fixed amount of work in the usage of a process. */
export const referencePart = 'reference'

/** Returns the processor seconds of a fixed amount of work like that of a request, which tells how fast the machine is at this time. */
export function measureReferenceWork(): number {
  work()
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000_000
}

const rows = Array.from({ length: 4_000 }, (_, n) => ({
  id: `${n * 7_919}`,
  name: `Lead ${n}`,
  tags: ['a', `${n % 9}`],
}))

function work(): string {
  let text = JSON.stringify(rows)
  for (let round = 0; round < 8; round++) {
    const sorted = (JSON.parse(text) as typeof rows).toSorted((one, other) => (one.id < other.id ? -1 : 1))
    text = JSON.stringify(sorted.map((row) => ({ ...row, key: row.name.toLowerCase().replaceAll(' ', '_') })))
  }
  return hash('sha256', text)
}
