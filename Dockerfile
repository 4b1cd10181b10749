# The server and the built page, run by an unprivileged user (docs/operations-reference.md).

# The Node of package.json, for amd64 and arm64.
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /build
COPY package.json package-lock.json ./
# The image has Node, so no package needs its install script here.
RUN npm ci --ignore-scripts
COPY . .
RUN node node_modules/vite/bin/vite.js build && node scripts/check-page-bytes.ts
# Only the page needs these, and it is built.
RUN npm uninstall --omit=dev --ignore-scripts --legacy-peer-deps --offline --no-audit \
  @tanstack/query-persist-client-core @tanstack/react-query downshift node react react-day-picker react-dom web-vitals wouter \
  && rm -rf node_modules/.bin node_modules/.cache node_modules/.vite

FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data SAMPLE_INVENTORY=off STOP_DELAY_SECONDS=5
# Less memory: fewer heaps of the C library, and modules that are compiled once.
ENV MALLOC_ARENA_MAX=2 NODE_COMPILE_CACHE=/tmp/skylark-compiled
WORKDIR /skylark
COPY package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY assets assets
COPY domain domain
COPY server server
# The command that messages name, with the container's settings.
RUN printf '#!/bin/sh\nname=$1\nshift\nexec node "/skylark/server/cli/$name.ts" "$@"\n' > /usr/local/bin/skylark \
  && chmod 755 /usr/local/bin/skylark \
  && install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 3000 3001
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "server/cli/is-alive.ts"]
CMD ["node", "server/main.ts"]
