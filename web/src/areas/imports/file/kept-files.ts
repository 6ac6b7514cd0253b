/** The files of this page by their import, so that they can be read again in another encoding. */
export const keptFiles = new Map<string, File>()
