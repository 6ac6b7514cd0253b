import { deleteViews, updateVisitsOfViews } from '#modules/library'
import { defineRecordCheck, type IntegrityCheck } from '#platform/module'
import {
  filterViewsWithoutVisit,
  findItemsInForeignSections,
  findItemsWithoutVersion,
  findMismatchedViews,
  findMismatchedVisits,
  findRoomsWithWrongCounts,
  findViewsWithoutVisit,
  listVisitsOfMismatchedViews,
  recountRooms,
  removeForeignSections,
} from './integrity.queries.ts'

export const roomChecks: IntegrityCheck[] = [
  defineRecordCheck({
    code: 'counter_drift',
    title: 'Counter that differs from the records',
    severity: 'warning',
    hint: 'Count the records again.',
    resourceType: 'room',
    find: findRoomsWithWrongCounts,
    repair: recountRooms,
  }),
  defineRecordCheck({
    code: 'room_visit_mismatch',
    title: 'Visit with a link or visitor of another room',
    severity: 'error',
    hint: 'The visit counts in the wrong room. Restore it from a backup.',
    resourceType: 'room_visit',
    find: findMismatchedVisits,
  }),
  defineRecordCheck({
    code: 'room_view_without_visit',
    title: 'View of a room item without a visit',
    severity: 'warning',
    hint: 'A repair deletes the view.',
    resourceType: 'content_view',
    find: findViewsWithoutVisit,
    repair: async (tx, ids) => deleteViews(tx, await filterViewsWithoutVisit(tx, ids)),
  }),
  defineRecordCheck({
    code: 'room_view_mismatch',
    title: 'View that differs from its visit in room or visitor',
    severity: 'error',
    hint: 'A repair takes room and visitor from the visit.',
    resourceType: 'content_view',
    find: findMismatchedViews,
    repair: async (tx, ids) => updateVisitsOfViews(tx, await listVisitsOfMismatchedViews(tx, ids)),
  }),
  defineRecordCheck({
    code: 'room_item_section_mismatch',
    title: 'Room item in a section of another room',
    severity: 'error',
    hint: 'A repair moves the item out of the section.',
    resourceType: 'room_item',
    find: findItemsInForeignSections,
    repair: removeForeignSections,
  }),
  defineRecordCheck({
    code: 'room_item_version_missing',
    title: 'Room item that shows a version that does not exist',
    severity: 'error',
    hint: 'Choose another version, or show the current one.',
    resourceType: 'room_item',
    find: findItemsWithoutVersion,
  }),
]
