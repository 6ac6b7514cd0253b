export type ModelPerson = {
  id: string
  kind: 'lead' | 'contact'
  address: string
  /** Deleted, merged, converted or erased. */
  isGone: boolean
}

export type ModelEnrollment = {
  id: string
  cadenceId: string
  personId: string
  /** Why no further email may be sent. */
  stopped: string | null
  isPaused: boolean
}

export type ModelCadence = {
  id: string
  status: 'active' | 'paused'
  pausedBy: 'user' | 'campaign' | 'restore' | null
  window: { days: number[]; start: string; end: string }
}

export type SentMail = {
  runId: string
  enrollmentId: string
  stepId: string
  cadenceId: string
  senderId: string | null
  address: string
  at: Date
}

type State = {
  persons: Map<string, ModelPerson>
  enrollments: Map<string, ModelEnrollment>
  cadences: Map<string, ModelCadence>
  removedSteps: Set<string>
  /** Merges that can be undone, by the surviving lead. */
  merges: Map<string, { id: string; mergedId: string }>
}

/** Ways in which the person of an enrollment ended it. No restore revives such an enrollment. */
const answers = ['reply', 'meeting', 'opt-out', 'bounce', 'erasure']

/** What must not be sent, as it follows from requests, reports of the mail server and the clock. It never asks the product. */
export function createModel(timezone: string) {
  let state: State = {
    persons: new Map(),
    enrollments: new Map(),
    cadences: new Map(),
    removedSteps: new Set(),
    merges: new Map(),
  }
  const refusing = new Set<string>()
  const inactiveSenders = new Set<string>()
  const limits = { sender: Infinity, workspace: Infinity }
  /** The largest limits of each day, because a limit may be lowered after the emails of the day were sent. */
  const limitsOfDay = new Map<string, { sender: number; workspace: number }>()
  const sent: SentMail[] = []
  const localTime = createLocalTime(timezone)

  const liveOf = (matches: (person: ModelPerson) => boolean) =>
    [...state.enrollments.values()].filter(
      ({ personId, stopped }) => stopped === null && matches(state.persons.get(personId)!),
    )

  const model = {
    get state() {
      return state
    },
    sent,
    addPerson: (person: ModelPerson) => void state.persons.set(person.id, person),
    addCadence: (cadence: ModelCadence) => void state.cadences.set(cadence.id, cadence),
    addEnrollment: (id: string, cadenceId: string, personId: string) =>
      void state.enrollments.set(id, { id, cadenceId, personId, stopped: null, isPaused: false }),

    stopPerson(id: string, reason: string) {
      for (const enrollment of liveOf((person) => person.id === id)) enrollment.stopped = reason
    },
    /** Stops the enrollments of all records with the address. */
    stopAddress(address: string, reason: string) {
      for (const enrollment of liveOf((person) => person.address === address)) enrollment.stopped = reason
    },
    /** No email may reach the address any more, also if another record gets it. */
    refuse(address: string, reason: string) {
      refusing.add(address)
      model.stopAddress(address, reason)
    },
    setLimits(sender: number, workspace: number, now: Date) {
      Object.assign(limits, { sender, workspace })
      raiseLimits(now)
    },
    setSenderActive: (id: string, isActive: boolean) =>
      void (isActive ? inactiveSenders.delete(id) : inactiveSenders.add(id)),

    backUp: (): State => structuredClone(state),
    /** The rows are those of the backup; what persons decided since stays, and every cadence is paused. */
    restore(backup: State) {
      const before = state
      state = structuredClone(backup)
      for (const [id, enrollment] of state.enrollments) {
        const stopped = before.enrollments.get(id)?.stopped
        if (stopped && answers.includes(stopped)) enrollment.stopped = stopped
      }
      for (const cadence of state.cadences.values())
        if (cadence.status === 'active' || cadence.pausedBy === 'campaign')
          Object.assign(cadence, { status: 'paused', pausedBy: 'restore' })
    },

    /** Stores an email that the mail server has accepted, and returns the promises that it breaks. */
    acceptMail(mail: SentMail): string[] {
      raiseLimits(mail.at)
      const enrollment = state.enrollments.get(mail.enrollmentId)
      const cadence = state.cadences.get(mail.cadenceId)
      const day = localTime(mail.at).day
      const allowed = limitsOfDay.get(day)!
      const ofDay = sent.filter(({ at }) => localTime(at).day === day)
      const problems = {
        'without an enrollment': !enrollment || !cadence,
        [`after: ${enrollment?.stopped}`]: !!enrollment?.stopped,
        'while the enrollment was paused': enrollment?.isPaused,
        'while the cadence was paused': cadence?.status === 'paused',
        'to a person who is gone': !!enrollment && state.persons.get(enrollment.personId)!.isGone,
        'to a former address': !!enrollment && state.persons.get(enrollment.personId)!.address !== mail.address,
        'to an address that refuses': refusing.has(mail.address),
        'of a removed step': state.removedSteps.has(mail.stepId),
        'of an inactive sender': mail.senderId === null || inactiveSenders.has(mail.senderId),
        'a second time': sent.some(({ stepId, address }) => stepId === mail.stepId && address === mail.address),
        'outside the window': !!cadence && !isInWindow(mail.at, cadence),
        'above the limit of the workspace': ofDay.length >= allowed.workspace,
        'above the limit of the sender':
          ofDay.filter(({ senderId }) => senderId === mail.senderId).length >= allowed.sender,
      }
      sent.push(mail)
      return Object.entries(problems).flatMap(([problem, isBroken]) =>
        isBroken ? [`An email was sent ${problem}: ${JSON.stringify(mail)}`] : [],
      )
    },
  }

  function raiseLimits(now: Date): void {
    const { day } = localTime(now)
    const { sender, workspace } = limitsOfDay.get(day) ?? { sender: 0, workspace: 0 }
    limitsOfDay.set(day, {
      sender: Math.max(sender, limits.sender),
      workspace: Math.max(workspace, limits.workspace),
    })
  }

  function isInWindow(now: Date, { window }: ModelCadence): boolean {
    const { weekday, time } = localTime(now)
    return window.days.includes(weekday) && time >= window.start && time < window.end
  }

  return model
}

export type OutreachModel = ReturnType<typeof createModel>

/** Day, weekday (1 is Monday) and time of an instant, calculated by `Intl` alone. */
function createLocalTime(timeZone: string) {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, ...parts })
  return (instant: Date) => {
    const [day, time] = format.format(instant).split(' ') as [string, string]
    return { day, time, weekday: new Date(`${day}T00:00:00Z`).getUTCDay() || 7 }
  }
}
