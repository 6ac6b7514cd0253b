# syntax=docker/dockerfile:1
# The image of the previous release. Its web files stay available for a week to pages that were opened before the upgrade.
ARG PREVIOUS_IMAGE=debian:bookworm-slim
FROM ${PREVIOUS_IMAGE} AS previous
RUN mkdir -p /app/web/dist

FROM node:24-bookworm-slim AS web
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json ./web/
RUN npm install --no-save --workspace web
COPY src/platform/html ./src/platform/html
COPY tsconfig.json ./
COPY web ./web
COPY --from=previous /app/web/dist ./web/dist
RUN npm run build --workspace web

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json ./web/
# Not npm ci: it rejects a lock file without packages for other platforms.
RUN npm install --no-save --omit=dev && rm -rf node_modules/node/node_modules/*/include
COPY migrations ./migrations
COPY docs ./docs
COPY src ./src
COPY --from=web /app/web/dist ./web/dist

# Contains no npm; Node is the package `node` that the build stage installed.
FROM debian:bookworm-slim
# Previews of PDF files and videos, and util-linux and mount, which limit and isolate these programs; a smaller image without them is built with --build-arg PREVIEW_PACKAGES=.
ARG PREVIEW_PACKAGES="poppler-utils ffmpeg util-linux mount"
RUN if [ -n "$PREVIEW_PACKAGES" ]; then \
    apt-get update && apt-get install -y --no-install-recommends $PREVIEW_PACKAGES && rm -rf /var/lib/apt/lists/*; \
  fi
RUN useradd --system --uid 10001 --home-dir /app tributary && install -d -o tributary /var/lib/tributary /var/cache/tributary
WORKDIR /app
COPY --from=build /app ./
ENV NODE_ENV=production NODE_COMPILE_CACHE=/var/cache/tributary HOST=0.0.0.0 PORT=3000 STORAGE_URL=file:///var/lib/tributary PATH=/app/node_modules/.bin:/usr/bin:/bin
USER tributary
# Fills the compile cache, which saves a third of the processor time of a start. It is valid for the same user and flags.
RUN node --max-semi-space-size=8 src/main.ts --version
VOLUME /var/lib/tributary
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "src/main.ts"]
CMD ["serve"]
