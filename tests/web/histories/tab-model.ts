import assert from 'node:assert/strict'

export const fieldOf = { 'Next step': 'next_step', Name: 'name' } as const
export type Label = keyof typeof fieldOf
export const labels = Object.keys(fieldOf) as Label[]

/** A change of a field, as the audit log has it. */
export type Write = { field: string; before: string | null; after: string | null }

/** Remembers what the user of a tab typed, saw and decided. Every typed text is unique. */
export function createTabModel(name: string) {
  /** The last text of each field that the user has not given up. */
  const wanted = new Map<Label, string>()
  const typed = new Set<string>()
  const seen = new Map(labels.map((label) => [label, new Set<string>()]))
  /** How often each text may be written: once, and once more after each decision to replace another one. */
  const allowed = new Map<string, number>()
  const notes: string[] = []
  return {
    notes,
    enter(label: Label, text: string, shown: string) {
      wanted.set(label, text)
      typed.add(text)
      allowed.set(text, 1)
      seen.get(label)!.add(shown)
    },
    keepMine(label: Label, mine: string, theirs: string) {
      seen.get(label)!.add(theirs)
      allowed.set(mine, (allowed.get(mine) ?? 0) + 1)
    },
    giveUp: (label: Label) => wanted.delete(label),
    giveUpAll: () => wanted.clear(),
    /** Nothing that was typed has disappeared: the page shows or keeps it, or the server has had it. */
    check(shown: ReadonlyMap<Label, string>, kept: string, writes: readonly Write[], bodies: readonly string[]) {
      for (const [label, text] of wanted)
        assert.ok(
          shown.get(label) === text || writes.some(({ after }) => after === text),
          `${name}: "${text}" has disappeared, the page shows "${shown.get(label)}"`,
        )
      for (const text of notes)
        assert.ok(
          kept.includes(text) || bodies.some((body) => body.includes(text)),
          `${name}: "${text}" has disappeared`,
        )
    },
    /** Nothing is written twice, and nothing is replaced that this user has not seen. */
    checkWrites(writes: readonly Write[], bodies: readonly string[], countLost: (text: string) => number) {
      for (const { field, before, after } of writes) {
        const label = labels.find((one) => fieldOf[one] === field)
        if (!label || after === null || !typed.has(after)) continue
        const isKnown = seen.get(label)!.has(before ?? '') || typed.has(before ?? '')
        assert.ok(isKnown, `${name} replaced "${before}", which was never shown, with "${after}"`)
      }
      for (const text of typed) {
        const times = writes.filter(({ after }) => after === text).length
        assert.ok(times <= (allowed.get(text) ?? 0), `${name}: "${text}" was written ${times} times`)
      }
      for (const text of notes) {
        const times = bodies.filter((body) => body.includes(text)).length
        // The server may have a text whose response was lost and that the user has changed before sending it again.
        assert.ok(times <= 1 + countLost(text), `${name}: "${text}" is in ${times} notes`)
      }
    },
  }
}
