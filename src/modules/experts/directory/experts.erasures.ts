import { systemClock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { eraseMentions, mentionsOf, toMentionPattern } from '#platform/erasure'
import type { ErasedPerson, Erasure, ErasureBatch } from '#platform/module'
import { recountRatings } from '../records/expert-ratings.queries.ts'
import { findExpertOfUser, lockExperts } from '../records/experts.queries.ts'
import { lockExpertWithSubstitutes } from '../requests/routing.service.ts'
import {
  clearNotesOfUser,
  deleteRequests,
  listNotesWithMentions,
  listRequestsOfUser,
  lockRequestsWithMentions,
  updateNote,
  updateRequestTexts,
} from './expert-erasure.queries.ts'
import { removeExpert } from './experts.service.ts'

const batchSize = 100

/** Removes an expert and the requests of a user. Answers to others stay, and persons disappear from the texts. */
export const expertErasure: Erasure = {
  name: 'enablement.experts',
  erase: (tx, subject, after) =>
    'user_id' in subject ? eraseUser(tx, subject.user_id, after) : erasePerson(tx, subject),
}

async function eraseUser(tx: TenantTx, userId: string, after: string | undefined): Promise<ErasureBatch> {
  if (after === undefined) {
    const experts = await removeExpertOfUser(tx, userId)
    return { counts: { 'enablement.experts': experts }, next: 'requests' }
  }
  const requests = await listRequestsOfUser(tx, userId, batchSize)
  const expertIds = requests.flatMap(({ expert_id }) => expert_id ?? [])
  await lockExperts(tx, { ids: expertIds })
  const deleted = await deleteRequests(
    tx,
    requests.map(({ id }) => id),
  )
  await recountRatings(tx, expertIds)
  return {
    counts: {
      'enablement.expert_requests': deleted,
      'enablement.expert_request_events': await clearNotesOfUser(tx, userId),
    },
    ...(requests.length === batchSize && { next: 'requests' }),
  }
}

async function removeExpertOfUser(tx: TenantTx, userId: string): Promise<number> {
  const known = await findExpertOfUser(tx, userId)
  if (!known) return 0
  const { expert, substitutes } = await lockExpertWithSubstitutes(tx, known.id)
  if (!expert) return 0
  await removeExpert(tx, expert, { substitutes, now: systemClock.now() })
  return 1
}

async function erasePerson(tx: TenantTx, person: ErasedPerson): Promise<ErasureBatch> {
  const search = { mentions: mentionsOf(person), limit: batchSize }
  const pattern = toMentionPattern(search.mentions)
  if (!pattern) return { counts: {} }
  const requests = await lockRequestsWithMentions(tx, person, search)
  let erased = 0
  for (const { id, subject, body, answer, rating_comment } of requests) {
    const texts = {
      subject: eraseMentions(subject, pattern).slice(0, 150),
      body: eraseMentions(body, pattern).slice(0, 8_000),
      answer: eraseMentions(answer, pattern),
      rating_comment: eraseMentions(rating_comment, pattern),
    }
    if (
      texts.subject === subject &&
      texts.body === body &&
      texts.answer === answer &&
      texts.rating_comment === rating_comment
    )
      continue
    await updateRequestTexts(tx, { id, ...texts })
    erased++
  }
  const notes = await listNotesWithMentions(tx, person, search)
  let erasedNotes = 0
  for (const { id, note } of notes) {
    const text = eraseMentions(note, pattern)
    if (text === note) continue
    await updateNote(tx, id, text)
    erasedNotes++
  }
  const isFull = requests.length === batchSize || notes.length === batchSize
  return {
    counts: { 'enablement.expert_requests': erased, 'enablement.expert_request_events': erasedNotes },
    ...(isFull && erased + erasedNotes > 0 && { next: 'texts' }),
  }
}
