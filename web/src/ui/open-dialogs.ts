import { createStore } from '../api/store.ts'

/** The number of open dialogs. They suspend all commands, because their keys belong to the fields of the dialog. */
export const openDialogs = createStore(0)
