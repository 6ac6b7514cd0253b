import { isLeadOf, type ProfilePart, timezoneOf } from '#modules/identity'
import { countEnrollments } from '#modules/learning'
import { findLastPitchScore } from '#modules/pitches'
import { countActiveRooms } from '#modules/rooms'
import { isManagerOrAdmin } from '#platform/access'
import { dayInTimezone } from '#platform/calendar'
import { readScoreOf } from '../readiness/readiness.service.ts'

export const enablementProfileParts: ProfilePart[] = [
  {
    name: 'rooms',
    scope: 'rooms.read',
    load: async (tx, _viewer, userId) => ({ active: await countActiveRooms(tx, userId) }),
  },
  {
    name: 'enablement',
    scope: 'insights.read',
    /** Figures about a person are for the user and coaches, as in the lists they come from. */
    async load(tx, viewer, userId, { to }) {
      const isCoach = isManagerOrAdmin(viewer.role) || (await isLeadOf(tx, viewer.userId, userId))
      if (viewer.userId !== userId && !isCoach) return null
      const today = dayInTimezone(to, await timezoneOf(tx))
      const [readinessScore, enrollments, lastPitchScore] = await Promise.all([
        readScoreOf(tx, userId, to),
        countEnrollments(tx, userId, today),
        findLastPitchScore(tx, userId),
      ])
      return {
        readiness_score: readinessScore,
        enrollments_open: enrollments.open,
        enrollments_overdue: enrollments.overdue,
        last_pitch_score: lastPitchScore,
      }
    },
  },
]
