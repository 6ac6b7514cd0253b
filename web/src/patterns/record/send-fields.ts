import { messagesByField } from '../../api/field-messages.ts'
import type { Fields } from '../../api/merge-fields.ts'
import { type ApiProblem, isProblem, isTemporary } from '../../api/problem.ts'
import { stateTexts } from '../../texts/en/state-texts.ts'
import {
  type FieldIntents,
  failSending,
  finishSending,
  isUncertain,
  listConflicts,
  rejectSending,
  startSending,
  waitingValues,
} from './field-intents.ts'

type SentRecord<T> = {
  readIntents: () => FieldIntents
  changeIntents: (change: (before: FieldIntents) => FieldIntents) => void
  readRecord: () => T
  storeRecord: (newer: T) => void
  readValues: (record: T, fields: readonly string[]) => Fields
  update: (record: T, changes: Fields) => Promise<T>
  load: () => Promise<T>
}

/** `problem` is one that no field shows. */
type SendResult = { isMerged: boolean; problem?: ApiProblem }

const maxAttempts = 3

/** Sends the values that the fields have by now, which are newer if they waited for the network. */
export async function sendFields<T>(fields: readonly string[], record: SentRecord<T>): Promise<SendResult> {
  const { readIntents, changeIntents, readRecord, storeRecord, readValues, update, load } = record
  let sent = waitingValues(readIntents(), fields)
  try {
    if (isUncertain(readIntents(), fields)) storeRecord(await load())
    for (let attempt = 1; ; attempt++) {
      const current = readRecord()
      const { intents, changes } = startSending(readIntents(), fields, readValues(current, fields))
      changeIntents(() => intents)
      sent = changes
      if (Object.keys(changes).length === 0) return { isMerged: false }
      try {
        const saved = await update(current, changes)
        storeRecord(saved)
        changeIntents((before) => finishSending(before, changes, readValues(saved, fields)))
        return { isMerged: attempt > 1 && listConflicts(intents).length === 0 }
      } catch (error) {
        if (!isOutdated(error) || attempt === maxAttempts) throw error
        storeRecord(await load())
      }
    }
  } catch (error) {
    if (!isProblem(error) || isTemporary(error) || isOutdated(error)) {
      changeIntents((before) => failSending(before, sent))
      return { isMerged: false }
    }
    const messages = messagesByField(error)
    const messageOf = (field: string) =>
      Object.entries(messages).find(([path]) => path === field || path.startsWith(`${field}.`))?.[1]
    changeIntents((before) => rejectSending(before, sent, messageOf, stateTexts.problem(error.code)))
    return { isMerged: false, problem: Object.keys(sent).some(messageOf) ? undefined : error }
  }
}

const isOutdated = (error: unknown): boolean => isProblem(error) && error.status === 412
