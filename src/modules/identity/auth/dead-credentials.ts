import { setNewest } from '#platform/cache'

const maxRemembered = 50_000

/** Sessions and keys that were revoked, each with its tenant. Nothing revives them, so they need not be looked up again. */
export function rememberDead(max = maxRemembered) {
  const tenants = new Map<string, string>()

  function add(credential: string, tenantId: string): void {
    setNewest(tenants, credential, tenantId, max)
  }

  return {
    add,
    /** The tenant of a credential that is dead for good. What is asked for stays, what nobody asks for goes first. */
    tenantOf(credential: string): string | undefined {
      const tenantId = tenants.get(credential)
      if (tenantId !== undefined) add(credential, tenantId)
      return tenantId
    },
  }
}

/**
 * Asks one question at a time for each key. Whoever comes while it is being asked shares the next one with all who come
 * meanwhile, so however many there are, no answer is older than the one who gets it.
 */
export function askTogether<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const asked = new Map<string, { answer: Promise<T>; next?: Promise<T> }>()

  function begin(key: string): Promise<T> {
    const question: { answer: Promise<T>; next?: Promise<T> } = { answer: ask(key) }
    asked.set(key, question)
    const end = () => {
      if (!question.next) asked.delete(key)
    }
    question.answer.then(end, end)
    return question.answer
  }

  return (key) => {
    const question = asked.get(key)
    if (!question) return begin(key)
    const again = () => begin(key)
    question.next ??= question.answer.then(again, again)
    return question.next
  }
}
