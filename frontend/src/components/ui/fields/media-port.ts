import { createContext, use } from "react";

import {
  fetchMedia,
  mediaUrl,
  type StoredMedia,
  thumbnailUrl,
  uploadMedia,
  type UploadOptions,
} from "../../../lib/media-files";

/** What a field keeps of a file that was brought. */
export type BroughtMedia = Pick<StoredMedia, "digest">;

/** The ways by which a file gets where it is kept. */
export interface MediaBringing {
  upload: (file: Blob, options: UploadOptions) => Promise<BroughtMedia>;
  fetchFrom: (url: string, signal: AbortSignal) => Promise<BroughtMedia>;
}

/** Where pictures and recordings lie, and how others are brought; who keeps them is not told. */
export interface MediaPort {
  pictureUrl: (digest: string) => string;
  thumbnailUrl: (digest: string) => string;
  soundUrl: (digest: string) => string;
  /** Null where nobody who may bring some is signed in. */
  bring: MediaBringing | null;
  /** What is said once a file was brought; null where seeing it is enough. */
  note: string | null;
}

/** The server's files; the task with this name, if any, takes more of them. */
export function serverMedia(slug: string | null): MediaPort {
  return {
    pictureUrl: mediaUrl,
    thumbnailUrl,
    soundUrl: mediaUrl,
    bring:
      slug === null
        ? null
        : {
            upload: (file, options) => uploadMedia(slug, file, options),
            fetchFrom: (url, signal) => fetchMedia(slug, url, signal),
          },
    note: null,
  };
}

const MediaPortContext = createContext<MediaPort>(serverMedia(null));

export const MediaPortProvider = MediaPortContext.Provider;

/** The files that this part of the page shows and takes. */
export function useMediaPort(): MediaPort {
  return use(MediaPortContext);
}
